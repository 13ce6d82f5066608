// Command gen writes the kernels of package simd. What a kernel computes is described once,
// as straight-line code on vectors without registers (ir.go; surface.go, hinge.go,
// triangle.go, cotangent.go, along.go, tangent.go). For each instruction set it is given registers (emit.go) and
// put in a loop.
package main

import (
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const rodata = attr.RODATA | attr.NOPTR

// kernel goes over a table.
type kernel struct {
	name     string
	doc      string
	pointers []pointer
	indices  []index
	steps    []step
	body     func(p *program)
}

// pointer is one of the block's, index a number of the table's row, step how far a pointer goes on, in bytes.
type (
	pointer struct {
		offset uintptr
		in     reg.GPPhysical
	}
	index struct {
		offset uintptr
		in     reg.GPPhysical
	}
	step struct {
		of reg.GPPhysical
		by uintptr
	}
)

// kernels are all.
func kernels() (all []kernel) {
	all = append(all, surface, juelicherEdges, juelicherVertices, dihedralEdges, cotangentCurvature, cotangentVertices, cotangentForces,
		stiffness, normals, tractions, means, acrossNormals, slides, encloses)
	for _, b := range []bending{noBending, juelicher, dihedral} {
		for _, viscous := range []bool{false, true} {
			all = append(all, forces(b, viscous))
		}
	}
	return all
}

func main() {
	build.ConstraintExpr("amd64")
	build.Package("lbmib/ib/elastic/internal/simd/layout")
	writeConstants()
	for _, t := range targets {
		for _, k := range kernels() {
			k.write(t)
		}
	}
	build.Generate()
}

// program is the kernel's for the lanes of a vector.
func (k kernel) program() *program {
	p := &program{}
	k.body(p)
	return p
}

// write adds the kernel to the file: a loop over the table, in it the code for a vector, and for a
// second one where the first has not all lanes and cells are in them.
func (k kernel) write(t target) {
	name := k.name + t.name
	build.TEXT(name, attr.NOSPLIT, "func(b *Block)")
	build.Doc(strings.Split(name+" "+k.doc, "\n")...)
	build.Pragma("noescape")
	build.Load(build.Param("b"), gpBlock)
	for _, p := range k.pointers {
		build.MOVQ(field(p.offset), p.in)
	}
	var frame int
	build.Label("next")
	for _, i := range k.indices {
		build.MOVLQSX(number(i.offset), i.in)
	}
	for shift := 0; shift < row; shift += t.width {
		if shift > 0 {
			build.CMPQ(field(offsetUsed), operand.U8(shift/element))
			build.JLE(operand.LabelRef("done"))
		}
		code, slots := emit(t, k.program(), shift)
		for _, i := range code {
			build.Instruction(i)
		}
		frame = max(frame, slots*t.width)
	}
	if t.width < row {
		build.Label("done")
	}
	if frame > 0 {
		build.AllocLocal(frame)
	}
	for _, s := range k.steps {
		build.ADDQ(operand.U32(s.by), s.of)
	}
	build.DECQ(field(offsetCount))
	build.JNZ(operand.LabelRef("next"))
	build.VZEROUPPER()
	build.RET()
}
