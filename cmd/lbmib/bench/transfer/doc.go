// Package transfer measures how fast values go between markers and grid, and
// holds it against what the memory gives and against published numbers.
//
// A row is an operation by a strategy of package ib on a problem: points, a grid, a
// delta. All rows of one problem take turns, so that whatever the machine does
// meanwhile meets all of them, and in every round the fastest copy of memory is
// measured as well. A time is told only if the result passed its checks.
//
// # What a call is
//
// The order says what happens between two calls. "new": all points have moved to
// other places, and the call begins with SetPoints, which sorts. "kept": every point
// has moved by less than 10⁻³ of a cell, none into another; the call begins with
// SetPoints, which may keep what it sorted. "sorted": likewise, and the points lie in
// memory in the order of the cells that they are in, along x first; in "kept" they lie
// there as they come. "set": SetPoints alone, as in "new".
//
// # Bytes
//
// The bytes of a call are those that have to come from or go to memory if caches
// keep everything until the call ends: every 64-byte line of a field that a support
// touches once (twice where it is added to: read and written), every value of a point
// once, and its coordinates once. Weights are computed where they are used and go
// nowhere. What a strategy moves besides (keys, sorted coordinates and indices,
// buffers, copies of the grid) is its own affair and not counted. The share of the limit is these bytes over the time of the call, over the
// rate of the fastest copy with the same threads.
package transfer
