package main

import (
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"
)

// Registers of a span kernel beside those of row kernels.
var (
	gpFields = reg.RDI // table of fields
	gpSpans  = reg.RBX // the span at hand
	gpField  = reg.R10 // its lane 0 in fields, in bytes
	maskK    = reg.K1  // its lanes: AVX-512
)

// Layout of simd.Span in memory, in bytes.
const (
	spanField = 8
	spanMask  = 16
	spanNoise = 20
	spanBytes = 24
)

// spanOps are what span kernels do, see simd.SpanKernel.
var spanOps = []string{"moments", "correct", "correct-recursive"}

// spanKernel is a routine that works on spans of nodes.
type spanKernel struct {
	*target
	lattice *lattice
	op      string
}

// name as in correctRecursiveD3Q19F32AVX2.
func (k *spanKernel) name() string {
	n := k.op
	if k.op == "correct-recursive" {
		n = "correctRecursive"
	}
	return n + k.lattice.name + strings.ToUpper(k.store+k.isa)
}

// float is the Go type that the kernel computes in.
func (k *spanKernel) float() string { return map[int]string{8: "float64", 4: "float32"}[k.element] }

func (k *spanKernel) lanes() int { return k.width / k.element }

func (k *spanKernel) parameters(constants string) string {
	return "populations *[19]unsafe.Pointer, fields *[4]unsafe.Pointer, spans *Span, n int, c *" + constants + ", lanes *uint64, noise *uint32"
}

func (k *spanKernel) program() *program {
	p := &program{}
	s := spanCode{results: results{p, k.half()}, lattice: k.lattice}
	switch k.op {
	case "moments":
		s.readMoments()
	case "correct":
		s.correct(false)
	default:
		s.correct(true)
	}
	return p
}

// write adds the kernel to the file: a loop over spans.
func (k *spanKernel) write(ctx *build.Context) (err error) {
	defer recovered(k.name(), &err)
	before, body, slots := emit(k.target, k.program())
	ctx.Function(k.name())
	ctx.SignatureExpr("func(" + strings.NewReplacer("unsafe.Pointer", "uintptr", "*Span", "*uint64").Replace(k.parameters("float64")) + ")")
	loadParameters(ctx, parameter{"populations", gpSrc}, parameter{"fields", gpFields}, parameter{"spans", gpSpans}, parameter{"n", gpCount}, parameter{"c", gpConstants})
	ctx.AllocLocal(slots * k.width)
	ctx.TESTQ(gpCount, gpCount)
	ctx.JLE(operand.LabelRef("done"))
	mode := flushSubnormals(ctx)
	add(ctx, before)

	ctx.Label("span")
	ctx.MOVQ(operand.Mem{Base: gpSpans}, gpOffset)
	ctx.MOVQ(operand.Mem{Base: gpSpans, Disp: spanField}, gpField)
	if k.half() {
		ctx.Load(ctx.Param("noise"), gpNoise)
		ctx.MOVL(operand.Mem{Base: gpSpans, Disp: spanNoise}, gpPlace.As32())
		ctx.ADDQ(gpPlace, gpNoise)
	}
	var masks instructions
	k.loadMask(ctx, &masks)
	add(ctx, masks)
	add(ctx, body)
	ctx.ADDQ(operand.U32(spanBytes), gpSpans)
	ctx.DECQ(gpCount)
	ctx.JNE(operand.LabelRef("span"))

	end(ctx, mode)
	return nil
}

// loadMask makes the mask of the span at hand: of AVX2, where a lane's bit is set in
// the span's mask, all bits of the lane in the last register.
func (k *spanKernel) loadMask(ctx *build.Context, code *instructions) {
	of := operand.Mem{Base: gpSpans, Disp: spanMask}
	if k.isa == "avx512" {
		code.out(general(x86.KMOVW), of, maskK)
		return
	}
	ctx.Load(ctx.Param("lanes"), gpPointer)
	bits, m := operand.Mem{Base: gpPointer}, k.mask()
	if k.element == 8 {
		code.out(x86.VPBROADCASTQ, of, m) // the upper half of 64 bits is no lane's
		code.out(three(x86.VPAND), bits, m, m)
		code.out(x86.VPCMPEQQ, bits, m, m)
		return
	}
	code.out(x86.VPBROADCASTD, of, m)
	code.out(three(x86.VPAND), bits, m, m)
	code.out(x86.VPCMPEQD, bits, m, m)
}

// spanCode writes the body of a span kernel's loop. Units are those of collision.
type spanCode struct {
	results
	lattice *lattice
}

// sums are what all kernels need of the populations: of the stress only where asked.
func (c *spanCode) sums(stress bool) *sums {
	dim := c.lattice.dim
	m := &sums{j: make([]*value, dim)}
	m.rest = c.load(0)
	chain := [2]*value{m.rest, nil}
	for k, pair := range c.lattice.pairs {
		a, b := c.load(plus(k)), c.load(minus(k))
		s, d := c.add(a, b), c.sub(a, b)
		c.accumulate(&chain[(k+1)%2], s, 1)
		for a := range dim {
			c.accumulate(&m.j[a], d, pair.c[a])
			for b := a; stress && b < dim; b++ {
				c.accumulate(&m.n[a][b], s, pair.c[a]*pair.c[b])
			}
		}
	}
	m.r = c.add(chain[0], chain[1])
	m.rho = c.densityOf(m.r)
	m.inverse = c.div(c.constant("one"), m.rho)
	for a := 0; stress && a < dim; a++ {
		m.n[a][a] = c.fnma(m.r, c.constant("third"), m.n[a][a])
	}
	return m
}

// readMoments stores ρ and u = j/ρ − a/2.
func (c *spanCode) readMoments() {
	m := c.sums(false)
	c.storeField(0, m.rho)
	inverse := m.inverse
	if c.half {
		inverse = c.mul(inverse, c.constant("unscale"))
	}
	for a, j := range m.j {
		c.storeField(1+a, c.fms(j, inverse, c.constant("half"+axisName(a))))
	}
}

// correct adds to the populations what the force density F makes of them, see
// simd.SpanKernel: with G = F/36 and, V being linear in j and F, to those of the longest
// velocities
//
//	(c·G)(c·V) − G·V/3 ± both c·G
func (c *spanCode) correct(frame bool) {
	dim := c.lattice.dim
	m := c.sums(frame)
	force := make([]*value, dim)
	for a := range dim {
		force[a] = c.field(1 + a)
	}
	v, g := make([]*value, dim), make([]*value, dim)
	for a := range dim {
		x := c.fma(force[a], c.constant("pushForce"), c.mul(m.j[a], c.constant("pushMomentum")))
		v[a] = c.fma(x, m.inverse, c.constant("source"+axisName(a)))
		g[a] = c.mul(force[a], c.constant("square"))
	}
	along := make([]*value, dim) // G_a V_a
	for a := range dim {
		along[a] = c.mul(g[a], v[a])
	}
	total := along[0]
	for _, x := range along[1:] {
		total = c.add(total, x)
	}
	total = c.mul(total, c.constant("third"))
	totalFace := c.mul(total, c.constant("face"))
	rest := c.mul(total, c.constant("rest")) // to be taken away
	var even, odd [3]*value                  // of the velocities along the axes
	for a := range dim {
		even[a] = c.fms(along[a], c.constant("face"), totalFace)
		odd[a] = c.mul(g[a], c.constant("momentumFace"))
	}
	var planes map[int]plane
	if frame {
		planes = c.frame(m, force, &rest, &even, &odd)
	}
	for i, pair := range c.lattice.pairs {
		if a, ok := face(pair.c); ok {
			c.addPair(i, even[a], odd[a])
			continue
		}
		cg := c.dot(g, pair.c)
		e, o := c.fms(cg, c.dot(v, pair.c), total), c.mul(cg, c.constant("momentum"))
		if frame {
			a, b := axes(pair.c)
			p := planes[a+b]
			e = c.add(e, p.four)
			if pair.c[b] > 0 {
				o = c.add(o, p.sum)
			} else {
				o = c.add(o, p.difference)
			}
		}
		c.addPair(i, e, o)
	}
	c.storeAll(0, restOnly, c.sub(c.load(0), rest))
}

// addPair adds even and odd to a pair.
func (c *spanCode) addPair(k int, even, odd *value) {
	a, b := c.load(plus(k)), c.load(minus(k))
	c.storeAll(plus(k), k, c.add(a, c.add(even, odd)), c.add(b, c.sub(even, odd)))
}

// plane is what recursive collision adds to the diagonals of a plane: to both of a pair,
// and with the sign of the velocity, to (1, 1) and to (1, −1).
type plane struct{ four, sum, difference *value }

// frame is what the force changes of the moments beyond the stress, which belong to the frame of
// the fluid: planes by the sum of their axes; what the velocities along the axes and rest gain, or
// rest is to lose, is added to theirs.
func (c *spanCode) frame(m *sums, force []*value, rest **value, even, odd *[3]*value) map[int]plane {
	dim := c.lattice.dim
	inverse, scaled := m.inverse, force // of momenta, in their units
	if c.half {
		inverse = c.mul(inverse, c.constant("unscale"))
		scaled = make([]*value, dim)
		for a := range dim {
			scaled[a] = c.mul(force[a], c.constant("scale"))
		}
	}
	after := make([]*value, dim)
	for a := range dim {
		after[a] = c.add(m.j[a], scaled[a])
	}
	// The stress gains (j' j' − j j)/ρ − ω/4 (F F/ρ + F a + a F), exactly nothing where F is 0.
	var p [3][3]*value
	for a := range dim {
		for b := a; b < dim; b++ {
			x := c.mul(scaled[a], c.mul(after[b], inverse))
			x = c.fma(m.j[a], c.mul(scaled[b], inverse), x)
			y := c.mul(scaled[a], c.mul(force[b], m.inverse))
			y = c.fma(scaled[a], c.constant("accel"+axisName(b)), y)
			y = c.fma(scaled[b], c.constant("accel"+axisName(a)), y)
			x = c.fnma(y, c.constant("keepStress"), x)
			p[a][b] = c.add(m.n[a][b], x)
		}
	}
	planes := map[int]plane{}
	for a := range dim {
		for b := a + 1; b < dim; b++ {
			aab0, abb0, four0 := c.ofFrame(&m.n, m.j, inverse, a, b)
			aab, abb, four := c.ofFrame(&p, after, inverse, a, b)
			aab, abb, four = c.sub(aab, aab0), c.sub(abb, abb0), c.sub(four, four0)
			*rest = c.sub(*rest, four)
			even[a], odd[a] = c.fnma(four, c.constant("middle"), even[a]), c.fnma(abb, c.constant("middle"), odd[a])
			even[b], odd[b] = c.fnma(four, c.constant("middle"), even[b]), c.fnma(aab, c.constant("middle"), odd[b])
			planes[a+b] = plane{
				c.mul(four, c.constant("quarter")),
				c.mul(c.add(aab, abb), c.constant("quarter")),
				c.mul(c.sub(abb, aab), c.constant("quarter")),
			}
		}
	}
	return planes
}

// ofFrame is what recursive collision has in a plane beyond the stress p: the third moments
// t_aab and t_abb, and what the fourth has beyond those of the stress.
func (c *spanCode) ofFrame(p *[3][3]*value, j []*value, inverse *value, a, b int) (aab, abb, four *value) {
	ua, ub := c.mul(j[a], inverse), c.mul(j[b], inverse)
	q := c.mul(j[a], ub)
	cross := c.mul(c.sub(p[a][b], q), c.constant("two"))
	aab = c.fma(ua, cross, c.mul(ub, p[a][a]))
	abb = c.fma(ub, cross, c.mul(ua, p[b][b]))
	four = c.fma(ub, aab, c.mul(ua, c.fnma(q, ub, abb)))
	return aab, abb, four
}
