package simd

import "golang.org/x/sys/cpu"

// All are the kernels that the processor can run, the fastest first.
func All() (all []Kernels) {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		all = append(all, Kernels{
			Name: "avx512", Surface: surfaceAVX512,
			JuelicherEdges: juelicherEdgesAVX512, JuelicherVertices: juelicherVerticesAVX512, DihedralEdges: dihedralEdgesAVX512,
			CotangentCurvature: cotangentCurvatureAVX512, CotangentVertices: cotangentVerticesAVX512, CotangentForces: cotangentForcesAVX512,
			Stiffness: stiffnessAVX512, Normals: normalsAVX512, Tractions: tractionsAVX512, Means: meansAVX512, AcrossNormals: acrossNormalsAVX512,
			Slides: slidesAVX512, Encloses: enclosesAVX512,
			forces: [bendings][2]func(*Block){
				{forcesAVX512, forcesViscousAVX512},
				{forcesJuelicherAVX512, forcesJuelicherViscousAVX512},
				{forcesDihedralAVX512, forcesDihedralViscousAVX512},
			},
		})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, Kernels{
			Name: "avx2", Surface: surfaceAVX2,
			JuelicherEdges: juelicherEdgesAVX2, JuelicherVertices: juelicherVerticesAVX2, DihedralEdges: dihedralEdgesAVX2,
			CotangentCurvature: cotangentCurvatureAVX2, CotangentVertices: cotangentVerticesAVX2, CotangentForces: cotangentForcesAVX2,
			Stiffness: stiffnessAVX2, Normals: normalsAVX2, Tractions: tractionsAVX2, Means: meansAVX2, AcrossNormals: acrossNormalsAVX2,
			Slides: slidesAVX2, Encloses: enclosesAVX2,
			forces: [bendings][2]func(*Block){
				{forcesAVX2, forcesViscousAVX2},
				{forcesJuelicherAVX2, forcesJuelicherViscousAVX2},
				{forcesDihedralAVX2, forcesDihedralViscousAVX2},
			},
		})
	}
	return all
}
