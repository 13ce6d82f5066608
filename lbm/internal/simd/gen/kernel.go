package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"

	"lbmib/lbm/internal/simd/dither"
)

// Registers of a kernel.
var (
	gpDst       = reg.RDI // table of destinations
	gpSrc       = reg.RSI // table of sources
	gpCount     = reg.RCX // cache lines to go
	gpConstants = reg.RDX
	gpOffset    = reg.RAX // from the first node, in bytes
	gpAhead     = reg.RBX // prefetch distance, 0: none
	gpPointer   = reg.R8  // of the population at hand
	gpPrefetch  = reg.R9  // gpOffset + gpAhead
	gpParts     = reg.R10 // vectors of the cache line to go
	gpNoise     = reg.R9  // of the first node of the vector at hand; not while prefetching
	gpPlace     = reg.R13 // of that node in the table of noise, in bytes
	gpMode      = reg.R12 // not 0: the mode of arithmetic was changed
	gpRowFields = reg.R14 // table of fields
	gpTable     = reg.R15 // table of relaxation times
	gpStage     = reg.R11 // where results of this vector wait to be streamed
)

// kernel is one routine.
type kernel struct {
	*target
	lattice *lattice
	op      string
}

// operators are the collision operators by name.
var operators = []string{"bgk", "trt", "regularized", "mrt", "mrt-les", "trt-les", "recursive", "recursive-les",
	"mrt-rheology", "trt-rheology", "recursive-rheology"}

// localOperators are those of kernels with forces that read the relaxation time of each node, too.
var localOperators = []string{"mrt-local", "trt-local", "recursive-local"}

// name as in trtD3Q19F32AVX2Stream.
func (k *kernel) name() string {
	n := strings.NewReplacer("-les", "LES", "-local", "Local", "-rheology", "Rheology").Replace(k.op) + k.lattice.name + strings.ToUpper(k.store+k.isa)
	if k.stream {
		n += "Stream"
	}
	if k.fields {
		n += "Fields"
	}
	return n
}

// byStress tells whether the kernel is one of moments.
func (k *kernel) byStress() bool { return k.op != "bgk" && k.op != "trt" }

// byLaw tells whether nodes have the viscosity that a law has at their rate of strain.
func (k *kernel) byLaw() bool { return strings.HasSuffix(k.op, "-rheology") }

// byFrame tells whether moments beyond the stress belong to the frame of the fluid.
func (k *kernel) byFrame() bool { return strings.HasPrefix(k.op, "recursive") }

// float is the Go type that the kernel computes in.
func (k *kernel) float() string { return map[int]string{8: "float64", 4: "float32"}[k.element] }

// program is the collision. With 32 registers, populations stay in them between
// the two passes; in space, the sums of the stress leave no room for them.
func (k *kernel) program() *program {
	p, many := &program{}, k.registers() == 32
	if !k.byStress() {
		c := collision{results: results{p, k.half()}, lattice: k.lattice, trt: k.op == "trt", keep: many, field: k.fields}
		c.collide()
		return p
	}
	c := moments{
		results: results{p, k.half()}, lattice: k.lattice, keep: many && k.lattice.dim == 2,
		ghosts: strings.HasPrefix(k.op, "trt-"), odd: k.op != "regularized" && !k.byFrame(), eddies: strings.HasSuffix(k.op, "-les") || k.byLaw(), law: k.byLaw(),
		local: strings.HasSuffix(k.op, "-local"), frame: k.byFrame(), field: k.fields,
	}
	c.collide()
	return p
}

// parameters of the kernel, with a type of pointer for its constants.
func (k *kernel) parameters(constants string) string {
	p := "dst, src *[19]unsafe.Pointer, vectors int, c *" + constants + ", ahead int"
	if k.half() {
		p += ", seed uint32, noise *uint32"
	}
	if k.fields {
		p += ", fields *[8]unsafe.Pointer"
	}
	if k.byLaw() {
		p += ", table *piecewise.Table[" + k.float() + "]"
	}
	return p
}

// write adds the kernel to the file: a loop over cache lines and, where these
// are more than a vector, a loop over their vectors.
func (k *kernel) write(ctx *build.Context) (err error) {
	defer recovered(k.name(), &err)
	before, body, slots := emit(k.target, k.program())
	ctx.Function(k.name())
	ctx.SignatureExpr("func(" + strings.NewReplacer("unsafe.Pointer", "uintptr", "piecewise.Table["+k.float()+"]", k.float()).Replace(k.parameters("float64")) + ")")
	loadParameters(ctx, parameter{"dst", gpDst}, parameter{"src", gpSrc}, parameter{"vectors", gpCount}, parameter{"c", gpConstants}, parameter{"ahead", gpAhead})
	if k.fields {
		ctx.Load(ctx.Param("fields"), gpRowFields)
	}
	if k.byLaw() {
		ctx.Load(ctx.Param("table"), gpTable)
	}
	ctx.AllocLocal(slots * k.width)
	if k.staged() {
		stage := ctx.AllocLocal((k.lattice.q() + 1) * lineBytes)
		ctx.LEAQ(stage.Offset(lineBytes-1), gpStage)
		ctx.ANDQ(operand.I32(-lineBytes), gpStage)
	}
	ctx.XORQ(gpOffset, gpOffset)
	ctx.TESTQ(gpCount, gpCount)
	ctx.JLE(operand.LabelRef("done"))
	mode := flushSubnormals(ctx)
	add(ctx, before)
	if k.half() {
		ctx.Load(ctx.Param("seed"), gpPlace.As32())
		ctx.SHLL(operand.U8(2), gpPlace.As32())
		ctx.ANDL(operand.U32(4*dither.Period-1), gpPlace.As32())
	}

	ctx.Label("line")
	if k.parts() > 1 {
		ctx.MOVQ(operand.U32(k.parts()), gpParts)
	}
	k.prefetch(ctx)
	ctx.Label("part")
	if k.half() {
		ctx.Load(ctx.Param("noise"), gpNoise)
		ctx.ADDQ(gpPlace, gpNoise)
	}
	add(ctx, body)
	ctx.ADDQ(operand.U32(k.partBytes()), gpOffset)
	if k.half() {
		ctx.ADDL(operand.U32(k.width), gpPlace.As32())
		ctx.ANDL(operand.U32(4*dither.Period-1), gpPlace.As32())
	}
	if k.parts() > 1 {
		if k.staged() {
			ctx.ADDQ(operand.U32(k.partBytes()), gpStage)
		}
		ctx.DECQ(gpParts)
		ctx.JNE(operand.LabelRef("part"))
	}
	if k.staged() {
		k.streamOut(ctx)
	}
	ctx.DECQ(gpCount)
	ctx.JNE(operand.LabelRef("line"))

	end(ctx, mode)
	return nil
}

// recovered makes a panic of the emitter, which names an instruction that there is not, an error.
func recovered(kernel string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("gen: kernel %s: %v", kernel, r)
	}
}

// parameter is one with its register.
type parameter struct {
	name string
	r    reg.GPPhysical
}

func loadParameters(ctx *build.Context, all ...parameter) {
	for _, p := range all {
		ctx.Load(ctx.Param(p.name), p.r)
	}
}

// end restores the mode of arithmetic after the loop, and returns.
func end(ctx *build.Context, mode operand.Mem) {
	ctx.TESTL(gpMode.As32(), gpMode.As32())
	ctx.JEQ(operand.LabelRef("unchanged"))
	ctx.LDMXCSR(mode)
	ctx.Label("unchanged")
	ctx.VZEROUPPER()
	ctx.Label("done")
	ctx.RET()
}

// flushSubnormals makes arithmetic take subnormal numbers for zero and returns
// where the mode before is kept; gpMode tells whether it was another one, since
// each change drains the pipeline (10 ns). Velocities of 1e-20 (f32) or 1e-158
// (f64), as they run ahead of every disturbance into fluid at rest, have
// subnormal squares, which take the processor some fifty times as long.
func flushSubnormals(ctx *build.Context) operand.Mem {
	before, during := ctx.AllocLocal(4), ctx.AllocLocal(4)
	ctx.STMXCSR(before)
	ctx.MOVL(before, gpMode.As32())
	ctx.MOVL(gpMode.As32(), gpPointer.As32())
	ctx.ORL(operand.U32(flushToZero|denormalsAreZero), gpPointer.As32())
	ctx.XORL(gpPointer.As32(), gpMode.As32())
	ctx.JEQ(operand.LabelRef("flushing"))
	ctx.MOVL(gpPointer.As32(), during)
	ctx.LDMXCSR(during)
	ctx.Label("flushing")
	return before
}

// Bits of MXCSR.
const flushToZero, denormalsAreZero = 1 << 15, 1 << 6

// prefetch asks for the lines that are needed in gpAhead bytes. The branch is
// always the same way in a call, so that 0 costs nothing.
func (k *kernel) prefetch(ctx *build.Context) {
	ctx.TESTQ(gpAhead, gpAhead)
	ctx.JEQ(operand.LabelRef("part"))
	ctx.LEAQ(operand.Mem{Base: gpOffset, Index: gpAhead, Scale: 1}, gpPrefetch)
	for i := range k.lattice.q() {
		ctx.MOVQ(operand.Mem{Base: gpSrc, Disp: 8 * i}, gpPointer)
		ctx.PREFETCHT0(operand.Mem{Base: gpPointer, Index: gpPrefetch, Scale: 1})
	}
}

// streamOut writes the collected lines of results around the cache. The last
// register is free between vectors: constants take the first ones.
func (k *kernel) streamOut(ctx *build.Context) {
	ctx.SUBQ(operand.U32(lineBytes), gpStage)
	r := k.register(k.registers() - 1)
	var code instructions
	for i := range k.lattice.q() {
		code.out(general(x86.MOVQ), operand.Mem{Base: gpDst, Disp: 8 * i}, gpPointer)
		for at := 0; at < lineBytes; at += k.width {
			code.out(k.forms.load, operand.Mem{Base: gpStage, Disp: i*lineBytes + at}, r)
			code.out(k.forms.nts, r, operand.Mem{Base: gpPointer, Index: gpOffset, Scale: 1, Disp: at - lineBytes})
		}
	}
	add(ctx, code)
}

func add(ctx *build.Context, code instructions) {
	for _, i := range code {
		ctx.Instruction(i)
	}
}
