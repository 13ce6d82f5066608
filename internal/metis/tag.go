//go:build !nometis

package metis

// built tells whether METIS is looked for.
const built = true
