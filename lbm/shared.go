package lbm

import (
	"slices"

	"lbmib/lbm/internal/simd/dither"
	"lbmib/lbm/internal/simd/piecewise"
)

// What a fluid elsewhere (on a device) shares with the CPU's, so that there is one
// compiler of boundaries, one set of rates and one noise.

// Rates are the constants of a collision in the precision of the populations.
type Rates[T Float] struct {
	Even, Odd             T                   // relaxation rates of stress and odd parts
	SourceEven, SourceOdd T                   // 1 − ω/2 of each, Guo's factor
	Accel                 [3]T                // uniform body force per mass
	Tau, Eddy             T                   // with an eddy viscosity: τ without it, and 18√2 C²
	OddInEddies           [4]T                // a, b, m, n of 1 − ω⁻ = (a + b t)/(m + n t), t = τ − ½
	Table                 *piecewise.Table[T] // τ of a node by Π:Π/ρ² of its non-equilibrium stress, in a fluid with a law of viscosity; nil: there is none
	Ghosts                T                   // 1: even moments beyond the stress relax like it, 0: at rate 1, −1: those of recursive collision
}

// NewRates are the rates of a collision under a uniform body force per mass, and the
// name of the least kernel that does it: "bgk" has one rate and no force, "trt" all
// without an eddy viscosity that treat even moments alike, any other the stress apart.
// Forced tells whether there is a force at any time.
func NewRates[T Float](c Collision, accel [3]float64, forced bool) (r Rates[T], kernel string) {
	k := newRates[T](c, accel)
	if k.recursive {
		k.ghosts = -1
	}
	return Rates[T]{
		Even: k.even, Odd: k.odd, SourceEven: k.sourceEven, SourceOdd: k.sourceOdd, Accel: k.accel,
		Tau: k.tau, Eddy: k.eddy, OddInEddies: k.oddInEddies, Table: k.table, Ghosts: k.ghosts,
	}, k.operator(forced)
}

// Forced tells whether there is a uniform body force at any time.
func (c *Config) Forced() bool { return c.Acceleration != nil || c.Force != [3]float64{} }

// Addresses say where populations lie between two steps: Post that of direction i of
// node p after collision, Pull that which will arrive at p along i; where both are the same
// there is no link. Base, of a row (numbered y first), is what the row's links count from.
type Addresses struct {
	Post, Pull func(i int, p [3]int) int
	Base       func(row int) int
}

// Links are what boundaries write between two steps, so that a sweep over all nodes
// pulls it: first f[To] = f[From] + amplitude of Face · Gain off walls, for the first
// len(Gain) links, then copies f[To] = f[From]. No link reads what another writes. To
// and From of a row count from its base; rows that have the same links share them.
type Links[T Float] struct {
	To, From []int
	Gain     []T
	Face     []uint8
	Walls    []Span // of each row, among the links
	Copies   []Span
	Open     []OpenLink[T]
}

// Span are the links Lo ≤ k < Hi.
type Span struct{ Lo, Hi int32 }

// OpenLink takes population Dir from the ghost behind node Node of the open face on a
// side of the domain; where fluid enters through a velocity face it bounces off that
// instead, f[Back] + amplitude · Gain. It is the Index-th such link of its row.
type OpenLink[T Float] struct {
	To, Back   int // not from a base
	Gain       T
	Side, Dir  uint8
	Node       int32
	Row, Index int32
}

// CompileLinks compiles the boundary of a configuration. The sweep must not write what
// a link reads before all links have been written.
func CompileLinks[T Float](cfg *Config, at Addresses) Links[T] {
	open := cfg.OpenFaces()
	l := compileLinks[T](cfg, cfg.wholeRows(func([3]int) int { return 0 }), addresses{at.Post, at.Pull, at.Base}, false, open, nil)
	out := Links[T]{
		To: slices.Concat(l.walls.to, l.copies.to), From: slices.Concat(l.walls.from, l.copies.from),
		Gain: l.walls.gain, Face: l.walls.face,
	}
	walls := int32(len(l.walls.to))
	for row := range l.copies.rows {
		w, c := l.walls.rows[row], l.copies.rows[row]
		out.Walls = append(out.Walls, Span{w.lo, w.hi})
		out.Copies = append(out.Copies, Span{walls + c.lo, walls + c.hi})
		begin, base := len(out.Open), at.Base(row)
		for _, r := range l.open.runs[l.open.rows[row].lo:l.open.rows[row].hi] {
			dirs := entering(cfg.Lattice, open[r.face])
			for k := range int(r.count) {
				link := OpenLink[T]{To: base + r.to + k*r.step, Back: base + r.back + k*r.step, Side: uint8(open[r.face].Side), Dir: uint8(dirs[r.which]),
					Node: int32(open[r.face].first(row, cfg.Size[1])+k) + r.node, Row: int32(row), Index: r.number + int32(k)*r.stride}
				if open[r.face].Bounces {
					link.Gain = l.open.gain[int(r.gain)+k]
				}
				out.Open = append(out.Open, link)
			}
		}
		slices.SortFunc(out.Open[begin:], func(a, b OpenLink[T]) int { return int(a.Index - b.Index) })
	}
	return out
}

// Purpose is what noise is for that rounds populations to Half; each has its own.
type Purpose = purpose

// The purposes. ForWalls and ForOpenFaces number a row's links, the others its nodes.
const (
	ForCollision  = forCollision
	ForWalls      = forWalls
	ForOpenFaces  = forOpenFaces
	ForCorrection = forCorrection
)

// NoiseOf is a step's part in the hash that makes the seeds of its rows; see dither.Seed.
func NoiseOf(p Purpose, step int64) uint64 { return dither.Step(step*int64(purposes) + int64(p)) }

// NoiseTable is the noise by its place; see dither.Of.
func NoiseTable() []uint32 { return dither.Table[:] }

// NoisePeriod and NoiseSpacing are the sizes of the table.
const (
	NoisePeriod  = dither.Period
	NoiseSpacing = dither.Spacing
)
