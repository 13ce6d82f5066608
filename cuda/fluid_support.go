package cuda

import (
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
)

// supportNodes are nodes of which sweeps leave ρ and û: NodeList and SupportMoments of
// kernels/support.h. Where they are may change after forgetGraphs alone.
type supportNodes struct {
	heads         *driver.Memory
	nodes         device.Slot // −1 for none
	next, moments *driver.Memory
	count         int
}

// headBytes is what the heads of a list of nodes take: one of each 32 nodes, and one for
// the quad at the end.
func headBytes(nodes int) int { return 4 * ((nodes+3)/32 + 1) }

// fluidSupport is what sweeps do for a coupling. A sweep leaves moments if those of the
// sweep before were used: no other follows steps that another schedule corrects.
type fluidSupport struct {
	of     *supportNodes // nil: none
	sweep  *driver.Function
	wanted bool // the next sweep leaves them
	fresh  bool // the last one did, and nothing has changed populations since
}

// leaveMoments lets sweeps leave ρ and û of some nodes from the next on, if the moments of
// those before were used; nil: of none.
func (f *sweeper[T]) leaveMoments(of *supportNodes) error {
	p := &f.support
	p.of, p.fresh = nil, false
	if of == nil || of.count == 0 {
		return nil
	}
	if p.sweep == nil {
		variant := f.kernels.variant
		sweep, err := f.work.Library.Function("coupled_"+variant, "sweep_moments_"+f.kernels.operator+"_"+variant)
		if err != nil {
			return err
		}
		p.sweep = sweep
		for i := range f.sweeps {
			for k := range f.sweeps[i].leaving {
				f.sweeps[i].leaving[k] = f.sweepArgs(k, f.sweeps[i].part, supportArgs)
			}
		}
	}
	for i := range f.sweeps {
		for _, a := range f.sweeps[i].leaving {
			s := &device.Setter{Args: a, Next: sweepArgs}
			s.Pointer(of.heads, 0).Pointer(of.nodes.Memory, of.nodes.At).Pointer(of.next, 0).Int32(of.count).Pointer(of.moments, 0)
		}
	}
	p.of = of
	return nil
}

// momentsLeft tells whether ρ and û of these nodes are those of the populations as they are,
// since the sweep has left them, and lets the next sweep do so.
func (f *sweeper[T]) momentsLeft(of *supportNodes) bool {
	p := &f.support
	if p.of != of {
		return false
	}
	p.wanted = true
	return p.fresh
}

// leaves tells whether the next sweep leaves moments.
func (p *fluidSupport) leaves() bool { return p.of != nil && p.wanted }

// swept takes note of a sweep, which has left moments or not.
func (p *fluidSupport) swept(left bool) { p.fresh, p.wanted = left, false }

// changed takes note that populations are not those of the sweep any more.
func (p *fluidSupport) changed() { p.fresh = false }

// followed takes note of steps of which each was corrected, or none was.
func (p *fluidSupport) followed(corrected bool) { p.fresh, p.wanted = false, corrected }
