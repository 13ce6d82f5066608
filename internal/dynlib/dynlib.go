// Package dynlib opens shared libraries at run time.
package dynlib

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ebitengine/purego"

	"lbmib/internal/regular"
)

// IsPath tells a file from a name for the loader, which looks for names in its folders.
func IsPath(file string) bool { return strings.Contains(file, "/") }

// Open loads a library, a file or a name for the loader; later libraries see its functions where global is true, as those do that load
// parts of themselves. The error says why it cannot be loaded, without the file's name. A path that leads to no regular file, such as a
// pipe, on which the loader would wait, is refused. A library stays loaded: to unload one that has run is not safe.
func Open(file string, global bool) (handle uintptr, err error) {
	if IsPath(file) {
		if err := regular.Check(file); errors.Is(err, regular.ErrKind) {
			return 0, fmt.Errorf("cannot be loaded: %w", err)
		}
	}
	scope := purego.RTLD_LOCAL
	if global {
		scope = purego.RTLD_GLOBAL
	}
	handle, err = purego.Dlopen(file, purego.RTLD_NOW|scope)
	if err != nil {
		return 0, fmt.Errorf("cannot be loaded: %s", strings.TrimPrefix(err.Error(), file+": "))
	}
	return handle, nil
}
