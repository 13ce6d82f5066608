// Package simd holds the row kernels of the lattice-Boltzmann fluid as assembly:
// one for every instruction set, lattice, storage and collision operator, all
// written by the generator in gen (go generate) from one description of the
// collision.
//
// Every kernel computes, for x = 0 … vectors·Lanes − 1, what the plain-Go rows
// of package lbm (bgkRowD2Q9, trtRowD2Q9, bgkRowD3Q19, trtRowD3Q19) compute:
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
// Storage "f16" keeps 2^15·(f_i − w_i) as IEEE half precision and computes in
// single precision. Results are rounded with dither (see package dither), the two
// of a ± pair with the same noise, at a cost of one operation per population; those
// beyond the largest half, 65504, become that. Rounding to the nearest would let
// steady flows stall.
package simd

//go:generate go run ./gen -out .
