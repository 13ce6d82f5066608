// Package simd holds the row kernels of the lattice-Boltzmann fluid as assembly:
// one for every instruction set, lattice, storage and collision operator, all
// written by the generator in gen (go generate) from two descriptions of the
// collision.
//
// Every kernel computes, for x = 0 … vectors·Lanes − 1, what the plain-Go rows
// of package lbm (bgkRowD2Q9, trtRowD2Q9, momentRowD2Q9, …) compute. For "bgk" and "trt":
//
//	g_i = src[i][x]                                populations f_i − w_i that arrive
//	r = Σ g_i;  ρ = 1 + r;  j = Σ c_i g_i;  u = j/ρ + a/2
//	for every pair ±c_i:
//	  p = ω⁺ [(g_i + g_−i)/2 − w_i (r + ρ (9/2 (c_i·u)² − 3/2 u²))] − s⁺ w_i ρ (9 (c_i·u)(c_i·a) − 3 u·a)
//	  m = ω⁻ [(g_i − g_−i)/2 − 3 w_i ρ c_i·u] − s⁻ 3 w_i ρ c_i·a
//	  dst[i][x] = g_i − p − m;  dst[−i][x] = g_−i − p + m
//
// with both rates ω⁺ and no acceleration for "bgk". The order of operations is
// the same for every instruction set, so results are equal bit for bit; they
// differ from the Go rows by rounding, and in one more respect: the rates are
// rounded so that mass and momentum are conserved without drift (see
// constants).
//
// The kernels "regularized", "mrt", "mrt-les", "trt-les", "recursive", "recursive-les" and those "-rheology" go by the stress,
// Π = Σ c c g − r/3 − j j/ρ. With k⁺ = 1 − ω⁺ and k⁻ = 1 − ω⁻ (0 for "regularized" and "recursive"),
// or, for "-les", those of the node's own τ = τ₀/2 + √(τ₀² + Eddy √(Π:Π)/ρ)/2, for "-rheology" of the τ that a table has for Π:Π/ρ²
// (package piecewise: two gathers),
//
//	f = j + ρ a;  P = f f/ρ + k⁺ Π − ω⁺/4 ρ a a        (of ω⁺ = Even always)
//	p = w_i (r + 9/2 (c_i c_i − 1/3):P)
//	m = 3 w_i c_i·f + k⁻ [(g_i − g_−i)/2 − 3 w_i c_i·j]
//	dst[i][x] = p + m;  dst[−i][x] = p − m
//
// and "trt-les" and "trt-rheology" add to p the part k⁺ of what the stress leaves of (g_i + g_−i)/2.
// "trt-local", "mrt-local" and "recursive-local", which are FieldKernels alone, have the τ of a field, and ω⁺ of it in P, too.
// "recursive" adds the moments of third and fourth order that the stress has in the frame of
// the fluid, of every plane a, b: with v = f/ρ, q = ρ v_a v_b, P_ab − q the rest of the stress,
//
//	t_aab = 2 v_a (P_ab − q) + v_b P_aa;  t_abb = 2 v_b (P_ab − q) + v_a P_bb
//	d = v_b t_aab + v_a t_abb − q v_a v_b
//
// to rest d, to p and m of c_i along a −d/2 and ∓t_abb/2, along b alike, and to those of the
// diagonals d/4 and c_ia t_abb/4 + c_ib t_aab/4.
//
// Kernels of another kind read and correct nodes here and there: see SpanKernel.
//
// Storage "f16" keeps 2^15·(f_i − w_i) as IEEE half precision and computes in
// single precision. Results are rounded with dither (see package dither), the two
// of a ± pair with the same noise, at a cost of one operation per population; those
// beyond the largest half, 65504, become that. Rounding to the nearest would let
// steady flows stall.
package simd

//go:generate go run ./gen -out .
