// Package cases holds the cases that come with the program.
package cases

import "embed"

// Files are the case files, by their names in this folder.
//
//go:embed *.toml
var Files embed.FS
