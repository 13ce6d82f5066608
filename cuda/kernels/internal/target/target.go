// Package target lists what the kernels are compiled for.
package target

import (
	"bytes"
	"fmt"
)

// Target is a kind of devices: those of a compute capability and newer ones.
type Target struct {
	Arch    string // as PTX and compilers call it
	Compute int    // 10·major + minor of the oldest of its devices
	Version string // of PTX
}

// Oldest is for every device that the kernels can run on. sm_60 (Pascal) is the
// oldest with atomicAdd of float64, PTX 6.0 the oldest with shuffles that name
// their lanes.
var Oldest = Target{"sm_60", 60, "6.0"}

// All are the targets, the newest first. The second is there for drivers that would take
// one of them and not the other. PTX 7.0 is the oldest that knows sm_80: the oldest
// driver that is supported, of CUDA 11.0, reads it.
var All = []Target{{"sm_80", 80, "7.0"}, Oldest}

// head begins the PTX for a target.
func (t Target) head() []byte {
	return fmt.Appendf(nil, ".version %s\n.target %s\n", t.Version, t.Arch)
}

// From is PTX for the oldest target as PTX for this one, which differs in its head alone.
// A newer target has all instructions of an older one, with the same meaning.
func (t Target) From(oldest []byte) ([]byte, error) {
	body, ok := bytes.CutPrefix(oldest, Oldest.head())
	if !ok {
		return nil, fmt.Errorf("the text begins %q, not %q", bytes.SplitN(oldest, []byte("\n"), 3)[:2], Oldest.head())
	}
	return append(t.head(), body...), nil
}
