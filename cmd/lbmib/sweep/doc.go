// Package sweep runs a case once for every combination of the values that keys
// of it take, and makes one table and one picture of all. A sweep that was
// interrupted goes on where it stopped: finished runs are not done again, and one
// that was under way continues from its checkpoint.
package sweep
