// Package mutate changes input at random, but knows what it changes: the keys and values
// of a case, the cells of a table, the facets of a surface, the index of a checkpoint.
// The same random numbers make the same input.
package mutate
