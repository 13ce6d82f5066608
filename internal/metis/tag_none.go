//go:build nometis

package metis

const built = false
