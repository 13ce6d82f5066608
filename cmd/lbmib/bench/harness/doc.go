// Package harness is what every benchmark needs: the machine, the limits that its
// memory sets, how long to measure, and flags whose every combination is a row.
package harness
