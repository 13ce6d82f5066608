package bench

import (
	"fmt"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cuda"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Selection is what a user asks for: every combination of the values becomes a
// row. What is left empty has a default.
type Selection struct {
	Lattice       []string `help:"D2Q9, D3Q19 (default: those that the sizes belong to, or both)." placeholder:"NAME"`
	Size          []string `help:"Nodes: 4096x2048, 256x256x256. A size belongs to the lattice of its dimension." placeholder:"NXxNY[xNZ]"`
	Flow          []string `help:"box (periodic), cavity (lid and walls), duct (walls, driven by a force), stream (inflow, outflow, free-slip sides), tube (along y between walls that fill the box, in space)." placeholder:"NAME"`
	Precision     []string `help:"f64, f32, f32/f16 (default: all)." placeholder:"NAME"`
	Storage       []string `help:"auto, box, runs of fluid (default: auto)." placeholder:"NAME"`
	Layout        []string `help:"soa, soaos, aos (default: auto)." placeholder:"NAME"`
	Block         []int    `help:"Nodes per block of soaos, a power of two." placeholder:"N"`
	Streaming     []string `help:"ab (two lattices), inplace (one), push (two lattices, written to the neighbours, for comparison) (default: ab,inplace)." placeholder:"NAME"`
	StepsPerSweep []int    `help:"1, or 2 to let two steps share a sweep over memory, in place." placeholder:"N"`
	Collision     []string `help:"bgk, trt (default: bgk)." placeholder:"NAME"`
	Backend       []string `help:"cpu, cuda (default: cpu)." placeholder:"NAME"`
	Kernel        []string `help:"avx512, avx2, go (default: auto, the first that this processor has, or LBMIB_KERNEL)." placeholder:"NAME"`
	Stores        []string `help:"auto, cached, streaming: how ab writes (default: auto)." placeholder:"NAME"`
	Threads       []int    `help:"Worker threads; 0 takes all processors." placeholder:"N"`
}

func (s *Selection) choices() []harness.Choice {
	var precision []string
	for _, p := range precisions {
		precision = append(precision, p.name)
	}
	auto := func(names []string) []string { return append([]string{"auto"}, names...) }
	return []harness.Choice{
		{Flag: "--lattice", Given: &s.Lattice, Allowed: []string{"D2Q9", "D3Q19"}}, // usual: see domains
		{Flag: "--flow", Given: &s.Flow, Allowed: flowNames, Usual: []string{"box"}},
		{Flag: "--precision", Given: &s.Precision, Allowed: precision, Usual: precision},
		{Flag: "--storage", Given: &s.Storage, Allowed: auto(lbm.StorageNames), Usual: []string{"auto"}},
		{Flag: "--layout", Given: &s.Layout, Allowed: auto(lbm.LayoutNames), Usual: []string{"auto"}},
		{Flag: "--streaming", Given: &s.Streaming, Allowed: append(auto(lbm.StreamingNames), push), Usual: lbm.StreamingNames},
		{Flag: "--collision", Given: &s.Collision, Allowed: lbm.CollisionNames, Usual: []string{"bgk"}},
		{Flag: "--backend", Given: &s.Backend, Allowed: harness.Backends, Usual: harness.Backends[:1]},
		{Flag: "--kernel", Given: &s.Kernel, Allowed: auto(lbm.KernelNames), Usual: []string{"auto"}},
		{Flag: "--stores", Given: &s.Stores, Allowed: []string{"auto", "cached", "streaming"}, Usual: []string{"auto"}},
	}
}

// Plan is the rows of a selection. Its errors are the user's to mend; no
// memory to speak of is used.
func (s Selection) Plan() ([]Spec, error) {
	if err := harness.Choose(s.choices()); err != nil {
		return nil, err
	}
	if err := harness.NeedDevice(s.Backend); err != nil {
		return nil, err
	}
	threads, err := harness.Threads(s.Threads)
	if err != nil {
		return nil, err
	}
	specs, err := s.domains()
	if err != nil {
		return nil, err
	}
	blocks, steps := harness.OrElse(s.Block, 0), harness.OrElse(s.StepsPerSweep, 1)
	specs = harness.Expand(specs, s.Precision, func(s *Spec, v string) { s.Precision = v })
	specs = harness.Expand(specs, s.Storage, func(s *Spec, v string) { s.Storage = v })
	specs = harness.Expand(specs, s.Layout, func(s *Spec, v string) { s.Layout = v })
	specs = harness.Expand(specs, blocks, func(s *Spec, v int) { s.Block = v })
	specs = harness.Expand(specs, s.Streaming, func(s *Spec, v string) { s.Streaming = v })
	specs = harness.Expand(specs, steps, func(s *Spec, v int) { s.StepsPerSweep = v })
	specs = harness.Expand(specs, s.Stores, func(s *Spec, v string) { s.Stores = v })
	specs = harness.Expand(specs, s.Collision, func(s *Spec, v string) { s.Collision = v })
	specs = harness.Expand(specs, s.Backend, func(s *Spec, v string) { s.Backend = v })
	specs = harness.Expand(specs, s.Kernel, func(s *Spec, v string) { s.Kernel = v })
	specs = harness.Expand(specs, threads, func(s *Spec, v int) { s.Threads = v })
	if specs, err = resolveAll(specs); err != nil {
		return nil, err
	}
	return specs, s.allUsed(specs)
}

// domains are the lattices, sizes and flows.
func (s *Selection) domains() (specs []Spec, err error) {
	sizes := map[string][]harness.Size{}
	var named []string // by the sizes
	for _, text := range s.Size {
		nodes, err := harness.Axes("--size", text, "1024x512 or 128x128x128")
		if err != nil {
			return nil, err
		}
		dim := len(nodes)
		if dim != 2 && dim != 3 {
			return nil, fmt.Errorf("--size %s has %d numbers, needs 2 for D2Q9 or 3 for D3Q19: write 1024x512 or 128x128x128", text, dim)
		}
		for _, name := range []string{"D2Q9", "D3Q19"} {
			if lbm.Lattices[name].Dim != dim {
				continue
			}
			if len(s.Lattice) > 0 && !slices.Contains(s.Lattice, name) {
				return nil, fmt.Errorf("--size %s has %d axes and belongs to %s, which is not in --lattice %s: add it or leave the size out",
					text, dim, name, strings.Join(s.Lattice, ","))
			}
			sizes[name] = append(sizes[name], harness.SizeOf(nodes))
			named = append(named, name)
		}
	}
	lattices := s.Lattice
	if len(lattices) == 0 {
		lattices = named
	}
	if len(lattices) == 0 {
		lattices = []string{"D2Q9", "D3Q19"}
	}
	for _, name := range harness.Unique(lattices) {
		for _, flow := range s.Flow {
			all := sizes[name]
			if len(all) == 0 {
				all = []harness.Size{usualSize(name, flow)}
			}
			for _, size := range all {
				specs = append(specs, Spec{Lattice: name, Size: size, Flow: flow})
			}
		}
	}
	return specs, nil
}

// usualSize is the size of a flow where none is given.
func usualSize(lattice, flow string) harness.Size {
	switch {
	case lattice == "D2Q9" && flow == "box":
		return harness.Size{4096, 2048}
	case lattice == "D2Q9":
		return harness.Size{1024, 1024}
	case flow == "box":
		return harness.Size{256, 256, 256}
	}
	return harness.Size{192, 192, 192}
}

// resolveAll resolves what is left to the fluid and leaves out combinations that
// make no sense or no difference: a block without soaos, stores other than ab's,
// threads and kernels of a device.
func resolveAll(specs []Spec) (all []Spec, err error) {
	pool := parallel.NewPool(1)
	defer pool.Close()
	for _, s := range specs {
		if s.Layout != "soaos" {
			s.Block = 0
		}
		if s.Flow == "tube" && lbm.Lattices[s.Lattice].Dim == 2 {
			continue
		}
		if (s.Streaming != "inplace" && s.Streaming != "auto" || s.onDevice()) && s.StepsPerSweep > 1 {
			continue
		}
		if s.onDevice() {
			s.Stores, s.Threads, s.Kernel = "auto", 0, "cuda"
		}
		if err := s.resolve(pool); err != nil {
			return nil, err
		}
		if s.Streaming != "ab" {
			s.Stores = "auto"
		}
		all = append(all, s)
	}
	return harness.Unique(all), nil
}

// resolve asks a small fluid of the same kind what it chooses, and whether there
// is one.
func (s *Spec) resolve(pool *parallel.Pool) error {
	cfg, _, err := s.config()
	if err != nil {
		return err
	}
	s.Fluid = cfg.FluidNodes()
	if s.Streaming == push {
		s.Layout, s.Kernel, s.Storage = "soa", "go", "box"
		return nil
	}
	if s.onDevice() {
		return s.resolveOnDevice(&cfg)
	}
	if s.Storage, err = cfg.StorageOf(); err != nil {
		return err
	}
	cfg.Solid, cfg.Storage = nil, s.Storage
	for a := range cfg.Lattice.Dim {
		cfg.Size[a] = 4
	}
	var chosen *lbm.Config
	if s.Precision == "f64" {
		chosen, err = choose[float64](cfg, pool)
	} else {
		chosen, err = choose[float32](cfg, pool)
	}
	if err != nil {
		return err
	}
	s.Layout, s.Streaming, s.Kernel = chosen.Layout, chosen.Streaming, chosen.Kernel
	if s.Layout == "soaos" && s.Block == 0 {
		s.Block = lbm.SoAoSBlock
	}
	return nil
}

// resolveOnDevice knows what a device has.
func (s *Spec) resolveOnDevice(cfg *lbm.Config) (err error) {
	if s.Layout != "auto" && s.Layout != "soa" {
		return fmt.Errorf("--layout %s with --backend cuda: a device has soa: choose layout soa or auto, or backend cpu", s.Layout)
	}
	if s.Storage, err = cuda.StorageOf(cfg); err != nil {
		return fmt.Errorf("--backend cuda: %w", err)
	}
	s.Layout = "soa"
	if s.Streaming == "auto" {
		s.Streaming = "ab"
	}
	return nil
}

func choose[T lbm.Float](cfg lbm.Config, pool *parallel.Pool) (*lbm.Config, error) {
	f, err := lbm.New[T](cfg, pool)
	if err != nil {
		return nil, err
	}
	return f.Config(), nil
}

// allUsed refuses values that are in no row.
func (s *Selection) allUsed(specs []Spec) error {
	used := func(is func(*Spec) bool) bool {
		return slices.ContainsFunc(specs, func(s Spec) bool { return is(&s) })
	}
	for _, b := range s.Block {
		if !used(func(s *Spec) bool { return s.Block == b }) {
			return fmt.Errorf("--block %d goes with --layout soaos, which is not among the rows: add it or leave the block out", b)
		}
	}
	for _, n := range s.StepsPerSweep {
		if !used(func(s *Spec) bool { return s.StepsPerSweep == n }) {
			return fmt.Errorf("--steps-per-sweep %d goes with --streaming inplace, which is not among the rows: add it or leave the steps out", n)
		}
	}
	for _, v := range s.Stores {
		if v != "auto" && !used(func(s *Spec) bool { return s.Stores == v }) {
			return fmt.Errorf("--stores %s goes with --streaming ab, which is not among the rows: add it or leave the stores out", v)
		}
	}
	return nil
}
