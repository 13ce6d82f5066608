package lbm

import (
	"testing"
	"unsafe"

	"lbmib/internal/parallel"
)

// What check says that a flow takes is what it takes: no less, and little more.
func TestBytesCoverBoundaries(t *testing.T) {
	stream := func([3]float64) [3]float64 { return [3]float64{0.01} }
	for _, l := range []*Lattice{D2Q9, D3Q19} {
		for _, streaming := range StreamingNames {
			collision, err := NewCollision("bgk", 0.1, 0)
			if err != nil {
				t.Fatal(err)
			}
			cfg := Config{Lattice: l, Size: [3]int{40, 30, 1}, Collision: collision, Streaming: streaming}
			if l.Dim == 3 {
				cfg.Size[2] = 20
			}
			cfg.Faces = [6]Face{{Kind: Velocity, Velocity: stream}, {Kind: Outflow}, {Kind: NoSlip}, {Kind: MovingWall, Velocity: stream}, {Kind: FreeSlip}, {Kind: FreeSlip}}
			cfg.Solid = make([]bool, cfg.Nodes())
			for n := range cfg.Solid {
				p := cfg.Position(n)
				cfg.Solid[n] = (p[0]+p[1]+p[2])%7 == 3 && p[0] > 9 && p[0] < 30
			}
			pool := parallel.NewPool(1)
			f, err := NewCPU[float64, float64](cfg, pool)
			if err != nil {
				t.Fatal(err)
			}
			got := boundaryOf(f)
			pool.Close()
			// rows that share links are counted for each; here most have their own
			if said := cfg.boundaryBytes(8, int64(len(f.links))); said < got || float64(said) > 1.5*float64(got) {
				t.Errorf("%s %s: boundaries take %d bytes, said to take %d", l.Name, streaming, got, said)
			}
		}
	}
}

// boundaryOf is the memory of a fluid's links and open faces.
func boundaryOf(f *CPU[float64, float64]) (n int64) {
	size := func(length int, element uintptr) { n += int64(length) * int64(element) }
	size(len(f.runs), unsafe.Sizeof(run{}))
	if r := f.links[0].rebounds; r != nil {
		size(len(r.all)+len(r.first), 4)
	}
	for k := range f.links {
		l := &f.links[k]
		for _, c := range []*copyLinks{&l.copies, &l.walls.copyLinks, &l.early} {
			size(len(c.to)+len(c.from), 8)
			size(len(c.rows), unsafe.Sizeof(span{}))
		}
		size(len(l.walls.gain), 8)
		size(len(l.walls.face)+len(l.earlyRows), 1)
		size(len(l.open.runs), unsafe.Sizeof(openRun{}))
		size(len(l.open.gain)+len(l.open.rows), 8)
	}
	size(len(f.open.start), 4)
	size(len(f.open.spans), unsafe.Sizeof(openSpan{}))
	for _, o := range f.open.faces {
		size(len(o.Velocity), 24)
		size(len(o.regular), unsafe.Sizeof(span{}))
		size(len(o.others), 4)
		for parity := range 2 {
			size(len(o.excess[parity])+len(o.sent[parity]), 8)
			size(len(o.inner[parity])+len(o.state[parity]), unsafe.Sizeof(openState{}))
		}
	}
	return n
}
