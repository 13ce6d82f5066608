package bench

import (
	"fmt"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
)

// Spec is one row to be measured: a flow and how it is computed. Names are those
// of the command's flags; auto is resolved by Plan.
type Spec struct {
	Lattice       string       `json:"lattice"`
	Size          harness.Size `json:"size"`
	Flow          string       `json:"flow"`        // box, cavity, duct, stream
	Precision     string       `json:"precision"`   // f64, f32, f32/f16: arithmetic, or arithmetic/storage
	Storage       string       `json:"storage"`     // box, runs
	Fluid         int64        `json:"fluid_nodes"` // those that count in MFLUPS
	Layout        string       `json:"layout"`
	Block         int          `json:"block,omitempty"` // nodes per block of soaos, otherwise 0
	Streaming     string       `json:"streaming"`
	StepsPerSweep int          `json:"steps_per_sweep"` // 2 in place where two steps share a sweep, otherwise 1
	Collision     string       `json:"collision"`
	Backend       string       `json:"backend"`
	Kernel        string       `json:"kernel"`
	Stores        string       `json:"stores"`  // how ab writes: auto, cached, streaming
	Threads       int          `json:"threads"` // 0 on a device
}

// precisions are the choices of arithmetic and storage, with the size of a stored
// population in bytes and the greatest relative error of storing one.
var precisions = []struct {
	name  string
	bytes int
	round float64
}{
	{"f64", 8, 0x1p-53},
	{"f32", 4, 0x1p-24},
	{"f32/f16", 2, 0x1p-12},
}

func (s *Spec) bytes() int     { return precisions[s.precision()].bytes }
func (s *Spec) round() float64 { return precisions[s.precision()].round }

func (s *Spec) precision() int {
	for i, p := range precisions {
		if p.name == s.Precision {
			return i
		}
	}
	panic("bench: precision " + s.Precision + " was not planned")
}

// onDevice tells whether the row is a device's; it has no threads then.
func (s *Spec) onDevice() bool { return s.Backend == "cuda" }

// bytesPerNode is what a step reads and writes: every population once.
func (s *Spec) bytesPerNode() int { return 2 * lbm.Lattices[s.Lattice].Q * s.bytes() }

// footprint is the size of the lattices in bytes, padding aside.
func (s *Spec) footprint() int64 {
	n := s.Fluid * int64(lbm.Lattices[s.Lattice].Q) * int64(s.bytes())
	if s.Streaming != "inplace" {
		n *= 2
	}
	return n
}

// limit names what the scheme is bound by: ab copies, in place updates.
func (s *Spec) limit() string {
	if s.Streaming == "inplace" {
		return "update"
	}
	return "copy"
}

// config is the flow's configuration and the flow itself.
func (s *Spec) config() (lbm.Config, flow, error) {
	l := lbm.Lattices[s.Lattice]
	c, err := lbm.NewCollision(s.Collision, viscosity, lbm.MagicPoiseuille)
	if err != nil {
		return lbm.Config{}, nil, err
	}
	cfg := lbm.Config{
		Lattice: l, Size: s.Size.Padded(), Collision: c,
		Storage: s.Storage, Layout: s.Layout, Block: s.Block, Streaming: s.Streaming,
		Kernel: s.Kernel, StepsPerSweep: s.StepsPerSweep,
	}
	if s.Stores != "auto" {
		cfg.Stores = s.Stores
	}
	if s.bytes() == 2 {
		cfg.Store = "f16"
	}
	if s.Streaming == push {
		if err := s.checkPush(); err != nil {
			return lbm.Config{}, nil, err
		}
		cfg.Streaming = "ab" // as many lattices
	}
	f, err := newFlow(s)
	if err != nil {
		return lbm.Config{}, nil, err
	}
	f.configure(&cfg)
	return cfg, f, cfg.Validate()
}

// layoutText names the layout with its block: soaos/64.
func (s *Spec) layoutText() string {
	if s.Block > 0 {
		return fmt.Sprintf("%s/%d", s.Layout, s.Block)
	}
	return s.Layout
}

// streamingText names the scheme with what is not usual about it: ab-cached,
// inplace-2 for two steps per sweep.
func (s *Spec) streamingText() string {
	switch {
	case s.StepsPerSweep > 1:
		return fmt.Sprintf("%s-%d", s.Streaming, s.StepsPerSweep)
	case s.Stores != "auto":
		return s.Streaming + "-" + s.Stores
	}
	return s.Streaming
}

// Is tells whether two rows are one.
func (s Spec) Is(t Spec) bool { return s == t }

// String names the row in one line.
func (s Spec) String() string {
	text := fmt.Sprintf("%s %v %s %s %s %s %s %s",
		s.Lattice, s.Size, s.Flow, s.Precision, s.layoutText(), s.streamingText(), s.Collision, s.Kernel)
	if s.onDevice() {
		return text
	}
	return fmt.Sprintf("%s, threads %d", text, s.Threads)
}
