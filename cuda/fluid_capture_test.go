package cuda

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// copies is every way in which populations can lie.
type copies struct {
	lattice          *lbm.Lattice
	streaming, store string
	precision        int
}

func allCopies() (all []copies) {
	for _, streaming := range lbm.StreamingNames {
		all = append(all, copies{lbm.D2Q9, streaming, "", 8}, copies{lbm.D2Q9, streaming, "", 4}, copies{lbm.D2Q9, streaming, "f16", 4})
	}
	return append(all, copies{lbm.D3Q19, "ab", "", 8}, copies{lbm.D3Q19, "inplace", "f16", 4})
}

// later makes the streams that are made from now on late in all they do.
func later(t *testing.T, by time.Duration) {
	t.Setenv("LBMIB_STANDIN_DELAY", fmt.Sprint(by.Microseconds()))
}

// steady is a channel with an outflow whose steps are queued in batches.
func steady(t *testing.T, l *lbm.Lattice) lbm.Config {
	cfg := channel(t, l)
	for i := range cfg.Faces {
		cfg.Faces[i].Amplitude = nil
	}
	return cfg
}

// twins are two fluids with the same past, of an odd number of steps that are partly
// waiting to be queued.
func twins[T lbm.Float](t *testing.T, l *device.Library, c copies) (f, twin *Fluid[T]) {
	t.Helper()
	cfg := steady(t, c.lattice)
	var of [2]*Fluid[T]
	var start lbm.State[T]
	for k := range of {
		of[k] = onDevice[T](l, lbm.Config{Streaming: c.streaming, Store: c.store})(t, cfg).(*Fluid[T])
		if k == 0 {
			start = drawState(rand.New(rand.NewPCG(3, 4)), lbm.Fluid[T](of[0]))
		}
		if err := of[k].SetState(start); err != nil {
			t.Fatal(err)
		}
		of[k].batch.single = batchAfter
		for range batchSteps + 3 {
			of[k].Step()
		}
	}
	return of[0], of[1]
}

// What was captured is the state at the step of the capture, bit for bit, though the
// fluid has made further steps before it is copied out, and while it is.
func TestACaptureIsTheStateOfItsStepWhileStepsGoOn(t *testing.T) {
	l := devicetest.Open(t)
	for _, c := range allCopies() {
		t.Run(fmt.Sprint(c.lattice.Name, " ", c.streaming, " ", 8*c.precision, c.store), func(t *testing.T) {
			if c.precision == 8 {
				capturesItsStep[float64](t, l, c)
			} else {
				capturesItsStep[float32](t, l, c)
			}
		})
	}
}

func capturesItsStep[T lbm.Float](t *testing.T, l *device.Library, c copies) {
	f, twin := twins[T](t, l, c)
	dim, size := c.lattice.Dim, f.cfg.Size
	boxes := []lbm.Box{{Hi: size}, {Lo: [3]int{3, 2, 0}, Hi: [3]int{11, 3, 1}}, {Lo: [3]int{30, 13, 0}, Hi: [3]int{31, 14, size[2]}}}
	for round := range 2 { // the second with the memory of the first, at the other parity
		want := lbm.StateOf[T](twin)
		later(t, 5*time.Millisecond) // a drain of 9 populations takes 150 ms
		state, fields, health := f.CaptureState(), f.CaptureBoxes(boxes), f.PendingHealth()
		if state == nil || fields == nil {
			t.Fatalf("nothing is captured: %v", f.Err())
		}
		got := lbm.State[T]{Steps: state.Steps()}
		drained := make(chan error)
		go func() {
			var err error
			for i := range c.lattice.Q {
				got.Populations = append(got.Populations, make([]T, f.cfg.Nodes()))
				err = errors.Join(err, state.Population(i, got.Populations[i]))
			}
			open, e := state.OpenFaces()
			got.Open = open
			drained <- errors.Join(err, e)
		}()
		for range 2*batchSteps + 1 {
			f.Step()
		}
		if err := f.Wait(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-drained:
			t.Error("the state was on the host before the steps were done: nothing shows that they do not wait for it")
		default:
		}
		if err := <-drained; err != nil {
			t.Fatal(err)
		}
		sameState(t, fmt.Sprint("round ", round), got, want)
		for k, b := range boxes {
			rho, u := make([]T, b.Nodes()), values[T](rand.New(rand.NewPCG(1, 1)), dim, b.Nodes(), 0)
			wantRho, wantU := make([]T, b.Nodes()), values[T](rand.New(rand.NewPCG(1, 1)), dim, b.Nodes(), 0)
			if err := fields.Box(k, rho, u); err != nil {
				t.Fatal(err)
			}
			twin.Box(b.Lo, b.Hi, wantRho, wantU)
			for a, of := range append([][]T{wantRho}, wantU...) {
				for n, v := range of {
					if got := append([][]T{rho}, u...)[a][n]; got != v {
						t.Fatalf("box %d: quantity %d of its node %d is %g, at the step of the capture %g", k, a, n, got, v)
					}
				}
			}
		}
		if h, err := health.Wait(); err != nil || h != twin.Health() {
			t.Errorf("health is %+v, %v, at the step of the question %+v", h, err, twin.Health())
		}
		state.Release()
		state.Release()
		fields.Release()
		for range 2*batchSteps + 1 {
			twin.Step()
		}
		sameState(t, "afterwards", lbm.StateOf[T](f), lbm.StateOf[T](twin))
		t.Setenv("LBMIB_STANDIN_DELAY", "0")
	}
}

func sameState[T lbm.Float](t *testing.T, when string, got, want lbm.State[T]) {
	t.Helper()
	if got.Steps != want.Steps || len(got.Open) != len(want.Open) {
		t.Fatalf("%s: step %d with %d values of open faces, want %d with %d", when, got.Steps, len(got.Open), want.Steps, len(want.Open))
	}
	for k, v := range want.Open {
		if got.Open[k] != v {
			t.Fatalf("%s: value %d of open faces is %g, want %g", when, k, got.Open[k], v)
		}
	}
	for i, p := range want.Populations {
		for n, v := range p {
			if g := got.Populations[i][n]; g != v {
				t.Fatalf("%s: population %d of node %d is %g, want %g", when, i, n, g, v)
			}
		}
	}
}

// A device without room for a copy beside what grows captures nothing; the fluid is well,
// and read as ever.
func TestWithoutRoomForACopyNothingIsCaptured(t *testing.T) {
	l := devicetest.Open(t)
	cfg := steady(t, lbm.D2Q9)
	cfg.Size, cfg.Solid = [3]int{400, 300, 1}, nil
	n := NeedsOf(&cfg, 8)
	f := onDevice[float64](l, lbm.Config{})(t, cfg).(*Fluid[float64])
	f.Step()
	f.Population(0, make([]float64, cfg.Nodes())) // makes what it keeps
	held, _ := l.Context.Held()
	for _, c := range []struct {
		room          int64
		state, fields bool
	}{{1 << 20, false, false}, {n.Capture / 2, false, true}, {n.Capture + 8<<20, true, true}} {
		total := int64(held) + c.room
		t.Setenv("LBMIB_STANDIN_MEMORY", fmt.Sprint(total+total/(captureReserve-1)+1))
		state, fields := f.CaptureState(), f.CaptureBoxes([]lbm.Box{{Hi: cfg.Size}})
		if (state != nil) != c.state || (fields != nil) != c.fields {
			t.Errorf("with %d bytes free of the reserve, the state taking %d: state captured %v, fields %v", c.room, n.Capture, state != nil, fields != nil)
		}
		if err := f.Err(); err != nil {
			t.Fatalf("a lack of memory is a failure: %v", err)
		}
		if fields != nil {
			fields.Release()
		}
		if state != nil {
			now, _ := l.Context.Held()
			if taken := int64(now) - int64(held) - CaptureBytes(lbm.D2Q9, int64(cfg.Nodes()), 8); taken > n.Capture {
				t.Errorf("a capture of the state takes %d bytes, announced were %d", taken, n.Capture)
			}
			state.Release()
		}
		f.Step()
		if h := f.Health(); !h.OK {
			t.Errorf("the flow is %+v", h)
		}
	}
}

// A fault while a state is copied out is the drain's error and the fluid's, and names the
// kernels of both streams.
func TestAFaultWhileAStateIsCopiedOutIsTheFluidsToo(t *testing.T) {
	for _, kernel := range []string{"copy_out_d2q9_f64@3", "sweep_trt_d2q9_f64@20"} {
		t.Run(kernel, func(t *testing.T) {
			t.Setenv("LBMIB_STANDIN_FAIL", kernel)
			name, _, _ := strings.Cut(kernel, "@")
			failsCopyingOut(t, devicetest.Open(t), name)
		})
	}
}

func failsCopyingOut(t *testing.T, l *device.Library, kernel string) {
	f, err := NewFluid[float64](l, steady(t, lbm.D2Q9))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Step()
	state := f.CaptureState()
	if state == nil {
		t.Fatal("nothing is captured")
	}
	drained := make(chan error)
	go func() {
		var err error
		for err == nil {
			err = state.Population(3, make([]float64, f.cfg.Nodes()))
		}
		state.Release()
		drained <- err
	}()
	for f.Err() == nil {
		f.Step()
	}
	var fault *driver.Fault
	if err := <-drained; !errors.As(err, &fault) || !strings.Contains(err.Error(), "step 1, copying out the state") || !strings.Contains(err.Error(), kernel) {
		t.Errorf("the drain's error is %v", err)
	}
	if err := f.Wait(); !errors.As(err, &fault) || !strings.Contains(err.Error(), kernel) || !strings.HasPrefix(err.Error(), "step ") {
		t.Errorf("the fluid's error is %v", err)
	}
	if f.CaptureState() != nil || f.CaptureBoxes([]lbm.Box{{Hi: f.cfg.Size}}) != nil {
		t.Error("something is captured after a fault")
	}
	if h, err := f.PendingHealth().Wait(); h.OK || err == nil {
		t.Errorf("health after a fault: %+v, %v", h, err)
	}
}

// Closing a fluid waits for what is on its way, and ends what comes after with an error.
func TestClosingWaitsForADrain(t *testing.T) {
	l := devicetest.Open(t)
	f, err := NewFluid[float64](l, steady(t, lbm.D2Q9))
	if err != nil {
		t.Fatal(err)
	}
	later(t, 10*time.Millisecond)
	state, health := f.CaptureState(), f.PendingHealth()
	begun, drained := make(chan bool, 100), make(chan error)
	go func() {
		var err error
		for err == nil {
			begun <- true
			err = state.Population(1, make([]float64, f.cfg.Nodes()))
		}
		state.Release()
		drained <- err
	}()
	<-begun
	f.Close()
	if err := <-drained; err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("after Close: %v", err)
	}
	if h, err := health.Wait(); err != nil || !h.OK {
		t.Errorf("a question from before Close is answered by %+v, %v", h, err)
	}
	if now, _ := l.Context.Held(); now != 0 || l.Context.PinnedHeld() != 0 {
		t.Errorf("%d bytes are held on the device after Close, %d on the host", now, l.Context.PinnedHeld())
	}
}

// A second capture of a kind before the first was released would overwrite it.
func TestOneCaptureOfAKindAtATime(t *testing.T) {
	l := devicetest.Open(t)
	f := onDevice[float32](l, lbm.Config{})(t, steady(t, lbm.D2Q9)).(*Fluid[float32])
	for name, capture := range map[string]func(){
		"state": func() { f.CaptureState() }, "boxes": func() { f.CaptureBoxes([]lbm.Box{{Hi: f.cfg.Size}}) },
	} {
		capture()
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a second capture is begun", name)
				}
			}()
			capture()
		}()
	}
}

// Steps after a question are queued while its answer is on the way, and the answer is
// that of the step it was asked at.
func TestAQuestionForHealthIsNotWaitedFor(t *testing.T) {
	later(t, 10*time.Millisecond) // every operation of the fluid: a step and a question take 70 ms
	l := devicetest.Open(t)
	f := onDevice[float64](l, lbm.Config{})(t, steady(t, lbm.D2Q9)).(*Fluid[float64])
	f.Step()
	asked := f.PendingHealth()
	for range 5 {
		f.Step()
	}
	if asked.Ready() {
		t.Error("the answer is known when five more steps have been queued: nothing shows that they did not wait for it")
	}
	h, err := asked.Wait()
	if err != nil || !h.OK || !asked.Ready() {
		t.Errorf("the answer is %+v, %v", h, err)
	}
	if again, _ := asked.Wait(); again != h {
		t.Error("the answer changes")
	}
}
