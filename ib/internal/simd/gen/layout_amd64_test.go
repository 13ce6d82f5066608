package main

import (
	"testing"
	"unsafe"

	"lbmib/ib/internal/simd"
)

// Kernels read the structures of package simd by the places of their fields.
func TestFieldsAreWhereKernelsReadThem(t *testing.T) {
	var b simd.Batch[float32]
	var a simd.Axis[float32]
	var r simd.Rows[float32]
	for _, f := range []struct {
		name      string
		got, want uintptr
	}{
		{"Batch.N", batchN, unsafe.Offsetof(b.N)},
		{"Batch.Field", batchField, unsafe.Offsetof(b.Field)},
		{"Batch.Values", batchValues, unsafe.Offsetof(b.Values)},
		{"Batch.First", batchFirst, unsafe.Offsetof(b.First)},
		{"Batch.Weight", batchWeight, unsafe.Offsetof(b.Weight)},
		{"Batch.Row", batchRow, unsafe.Offsetof(b.Row)},
		{"Batch.From", batchFrom, unsafe.Offsetof(b.From)},
		{"Batch.To", batchTo, unsafe.Offsetof(b.To)},
		{"a slice", sliceBytes, unsafe.Sizeof(b.Field)},
		{"Rows.N", rowsN, unsafe.Offsetof(r.N)},
		{"Rows.Row", rowsRow, unsafe.Offsetof(r.Row)},
		{"Rows.Nodes", rowsNodes, unsafe.Offsetof(r.Nodes)},
		{"Axis.N", axisN, unsafe.Offsetof(a.N)},
		{"Axis.X", axisX, unsafe.Offsetof(a.X)},
		{"Axis.Shift", axisShift, unsafe.Offsetof(a.Shift)},
		{"Axis.Period", axisPeriod, unsafe.Offsetof(a.Period)},
		{"Axis.Last", axisLast, unsafe.Offsetof(a.Last)},
		{"Axis.First", axisFirst, unsafe.Offsetof(a.First)},
		{"Axis.Weight", axisWeight, unsafe.Offsetof(a.Weight)},
		{"Axis.Outside", axisOutside, unsafe.Offsetof(a.Outside)},
	} {
		if f.got != f.want {
			t.Errorf("kernels look for %s at %d, it is at %d", f.name, f.got, f.want)
		}
	}
	for support := 1; support <= simd.MaxSupport; support++ {
		if stride(support) != simd.Stride(support) {
			t.Errorf("kernels keep %d weights for a support of %d, simd.Stride is %d", stride(support), support, simd.Stride(support))
		}
	}
}
