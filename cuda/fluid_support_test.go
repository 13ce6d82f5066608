package cuda

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// What a sweep leaves of listed nodes is what a look at their populations finds, bit for
// bit: of every lattice, form and scheme, at the ends of rows and of a sweep's parts, for
// lists whose nodes near to each other are not together, and after the list has changed.
func TestSweepsLeaveTheMomentsOfListedNodes(t *testing.T) {
	devicetest.NumbersAlone(t)
	l := devicetest.Open(t)
	accel := [3]float64{1e-4, -2e-4, 5e-5}
	for _, c := range []struct {
		lattice *lbm.Lattice
		size    [3]int
	}{
		{lbm.D2Q9, [3]int{75, 11, 1}}, {lbm.D3Q19, [3]int{37, 6, 5}}, {lbm.D2Q9, [3]int{1, 8*maxGridYZ + 9, 1}}, // two parts
	} {
		for _, streaming := range []string{"ab", "inplace"} {
			cfg := lbm.Config{Lattice: c.lattice, Size: c.size, Streaming: streaming, Force: accel}
			if c.lattice.Dim == 2 {
				cfg.Force[2] = 0
			}
			var err error
			if cfg.Collision, err = lbm.NewCollision("trt", 0.05, lbm.MagicPoiseuille); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprint(c.lattice.Name, c.size, streaming)
			t.Run(name+" f32", func(t *testing.T) { leavesMoments[float32](t, l, cfg) })
			if c.size[1] > maxGridYZ {
				continue
			}
			t.Run(name+" f64", func(t *testing.T) { leavesMoments[float64](t, l, cfg) })
			cfg.Store = "f16"
			t.Run(name+" f32/f16", func(t *testing.T) { leavesMoments[float32](t, l, cfg) })
		}
	}
}

func leavesMoments[T lbm.Float](t *testing.T, l *device.Library, cfg lbm.Config) {
	f, err := NewFluid[T](l, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if cfg.Size[1] > maxGridYZ && len(f.sweeps) < 2 {
		t.Fatalf("a sweep has %d parts", len(f.sweeps))
	}
	random := rand.New(rand.NewPCG(7, 8))
	if err := f.SetState(drawState(random, f)); err != nil {
		t.Fatal(err)
	}
	nodes, values := cfg.Nodes(), 1+cfg.Lattice.Dim
	heads, err := f.zeroed(headBytes(nodes))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		list := someNodes(random, nodes)
		count := len(list)
		at, out, want := make([]int32, count), make([]T, values*count), make([]T, values*count)
		for k := range at {
			at[k] = int32(k)
		}
		memory := uploads(t, f, list, at, make([]int32, count), make([]int32, count), make([]int32, 2*count))
		left, err := upload(&f.core, out)
		if err != nil {
			t.Fatal(err)
		}
		looked, err := upload(&f.core, out)
		if err != nil {
			t.Fatal(err)
		}
		set, err := f.work.Kernel("transfer_n3", "place_weights_n3_f64", 20) // of no marker
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			set.Args.Pointer(i, nil, 0)
		}
		set.Args.Int64(5, 0)
		set.Args.Int32(7, 0)
		set.Args.Int32(11, int32(count))
		for i, m := range map[int]*driver.Memory{12: memory[1], 13: memory[2], 14: memory[4], 15: memory[0], 16: heads, 17: memory[3]} {
			set.Args.Pointer(i, m, 0)
		}
		if err := f.work.Over(&set, count); err != nil {
			t.Fatal(err)
		}
		of := &supportNodes{heads, device.At(memory[0], 0), memory[3], left, count}
		if err := f.leaveMoments(of); err != nil {
			t.Fatal(err)
		}
		if f.momentsLeft(of) {
			t.Fatal("moments are said to be left before a sweep")
		}
		for step := range 5 {
			f.Step()
			f.settle()
			if !f.momentsLeft(of) {
				t.Fatalf("step %d leaves no moments", step)
			}
			if err := f.MomentsOn(device.At(memory[0], 0), count, device.At(looked, 0)); err != nil {
				t.Fatal(err)
			}
			for _, v := range []struct {
				to   []T
				from device.Slot
			}{{out, device.At(left, 0)}, {want, device.At(looked, 0)}} {
				if err := device.CopyOut(f.stream, v.to, v.from); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.Wait(); err != nil {
				t.Fatal(err)
			}
			for k := range want {
				if out[k] != want[k] {
					t.Fatalf("step %d leaves %g as quantity %d of node %v, its populations have %g", step, out[k], k/count, f.cfg.Position(int(list[k%count])), want[k])
				}
			}
		}
		f.Correct(list[:1], []int32{0}, eachAxis(make([]T, 1), cfg.Lattice.Dim))
		if f.momentsLeft(of) {
			t.Fatal("after a correction the sweep's moments are said to be those of the populations")
		}
		f.Step()
		f.Step() // nobody has asked for the moments of the step before
		if f.momentsLeft(of) {
			t.Fatal("a sweep leaves moments though nobody used those before")
		}
		if err := f.leaveMoments(nil); err != nil {
			t.Fatal(err)
		}
		forget, err := f.work.Kernel("transfer_place", "index_forget", 4)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range []*driver.Memory{memory[2], memory[4], heads} {
			forget.Args.Pointer(i, m, 0)
		}
		forget.Args.Int32(3, int32(count))
		if err := f.work.Over(&forget, count); err != nil {
			t.Fatal(err)
		}
		empty := make([]int32, headBytes(nodes)/4)
		if err := device.CopyOut(f.stream, empty, device.At(heads, 0)); err != nil {
			t.Fatal(err)
		}
		if err := f.Wait(); err != nil {
			t.Fatal(err)
		}
		for word, head := range empty {
			if head != 0 {
				t.Fatalf("no node is listed, and the head of nodes %d … is %d", 32*word, head)
			}
		}
	}
}

// eachAxis is one vector for every axis.
func eachAxis[T any](v []T, dim int) (all [][]T) {
	for range dim {
		all = append(all, v)
	}
	return all
}

// someNodes is a list of some hundred nodes, among them the first and the last, of which
// some that are near to each other stand together.
func someNodes(random *rand.Rand, nodes int) []int32 {
	order := random.Perm(nodes)
	in := map[int]bool{}
	var list []int32
	add := func(n int) {
		if n >= 0 && n < nodes && !in[n] {
			in[n] = true
			list = append(list, int32(n))
		}
	}
	add(nodes - 1)
	add(0)
	for _, n := range order[:60] {
		for k := range 1 + random.IntN(5) {
			add(n + k)
		}
	}
	return list
}

// uploads are lists in device memory.
func uploads[T lbm.Float](t *testing.T, f *Fluid[T], lists ...[]int32) (all []*driver.Memory) {
	t.Helper()
	for _, list := range lists {
		m, err := upload(&f.core, list)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}
