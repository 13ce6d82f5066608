// Package cases holds the case files of the validation suite. They are written
// for readers: each states one published flow as a user would.
package cases

import "embed"

// Files are the case files, by their names in this folder.
//
//go:embed *.toml
var Files embed.FS
