// Package elastic makes meshes of the membranes of cells and capsules: closed surfaces
// of triangles.
package elastic
