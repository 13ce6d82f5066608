// Package coupled measures what bodies cost: a stream around cylinders beside the
// same stream without them.
package coupled
