package elastic

import (
	"fmt"
	"slices"
	"strings"

	"lbmib/ib/elastic/internal/simd"
	"lbmib/ib/elastic/internal/simd/layout"
)

// inGo is the name of the plain form of all loops, the reference of the others.
const inGo = "go"

// KernelNames are the forms of the inner loops that the processor can run, the fastest,
// which NewMembrane takes, first: of avx512, avx2 and go.
func KernelNames() (names []string) {
	for _, k := range simd.All() {
		names = append(names, k.Name)
	}
	return append(names, inGo)
}

// kernelsOf is nil for go.
func kernelsOf(name string) *simd.Kernels {
	all := simd.All()
	if i := slices.IndexFunc(all, func(k simd.Kernels) bool { return k.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Kernel is the name of the form of the inner loops in use. Forms agree to rounding.
func (m *Membrane) Kernel() string {
	if m.kernels == nil {
		return inGo
	}
	return m.kernels.Name
}

// WithKernel is the membrane with another form of its inner loops, one of KernelNames. A
// Scratch is one of its own.
func (m *Membrane) WithKernel(name string) (*Membrane, error) {
	if names := KernelNames(); !slices.Contains(names, name) {
		return nil, fmt.Errorf("elastic: membrane: kernel %q does not run on this CPU: use one of %s", name, strings.Join(names, ", "))
	}
	other := *m
	other.kernels = kernelsOf(name)
	return &other, nil
}

// bind tells the kernels where the membrane and the scratch are, unless they know. It
// panics on scratch of another mesh or of a material without this one's bending.
func (m *Membrane) bind(s *Scratch) {
	if s.membrane == m {
		return
	}
	own := 0
	if m.bending != nil {
		own = m.bending.room(m)
	}
	if len(s.facet) != facetLen*len(m.triangles) || len(s.vertex) != m.mesh.BlockLen() || len(s.edge) != Lanes*len(m.hinges) || len(s.own) < own {
		panic("elastic: a membrane is given the scratch of another: use one that its NewScratch makes")
	}
	s.membrane, s.fused = m, nil
	b := &s.block
	b.Triangle, b.Hinge = &m.triangles[0], &m.hinges[0]
	b.Facet, b.Vertex, b.Edge = &s.facet[0], &s.vertex[0], &s.edge[0]
	layout.Fill(&b.Shear, m.material.ShearViscosity)
	layout.Fill(&b.Spread, m.material.AreaViscosity-m.material.ShearViscosity)
	kind := simd.NoBending
	if m.bending != nil {
		var stiffness float64
		kind, stiffness = m.bending.fused()
		layout.Fill(&b.Bending, stiffness)
	}
	if len(s.own) > 0 {
		b.Own = &s.own[0]
	}
	if law, ok := m.law.(rational); ok && m.kernels != nil {
		for k, c := range law.coefficients() {
			layout.Fill(&b.Law[k], c)
		}
		s.fused = m.kernels.Forces(kind, m.Viscous())
	}
}
