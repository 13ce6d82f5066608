package cuda

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// some are nodes of a domain, ascending, from a first one on.
func some(first, n, step int) (nodes []int32) {
	for k := range n {
		nodes = append(nodes, int32(first+k*step))
	}
	return nodes
}

// small is a fluid in motion.
func small(t *testing.T, streaming string) *Fluid[float64] {
	t.Helper()
	cfg := flow(t, lbm.D3Q19, [3]int{30, 24, 20})
	cfg.Streaming = streaming
	f, err := NewFluid[float64](devicetest.Open(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	f.Initialize(func(p [3]float64) (float64, [3]float64) {
		return 1 + 0.001*p[2], [3]float64{0.03, 0.001 * p[1], -0.001 * p[0]}
	})
	f.Step()
	return f
}

// Lists that are used again and again are copied to the device once, as long as all of them
// have room; what has changed in its place is noticed, unless it was promised not to.
func TestListsAreSentWhenTheyAreOthers(t *testing.T) {
	f := small(t, "ab")
	rho, u := make([]float64, 3000), values[float64](rand.New(rand.NewPCG(1, 2)), 3, 3000, 0)
	ask := func(nodes []int32) float64 {
		f.Moments(nodes, some(0, len(nodes), 1), rho, u)
		return rho[len(nodes)-1]
	}
	sends := func(what string, want int64, do func()) {
		t.Helper()
		before := f.lists.sent
		if do(); f.lists.sent-before != want {
			t.Errorf("%s: %d lists are sent, should be %d", what, f.lists.sent-before, want)
		}
	}
	var lists [][]int32
	for k := range maxLists - 2 {
		lists = append(lists, some(k, 40+k, 3))
	}
	all := func() {
		for _, l := range lists {
			ask(l)
		}
	}
	sends("new ones", int64(len(lists)), all)
	sends("the same", 0, func() { all(); all() })
	sends("copies of them", 0, func() { ask(slices.Clone(lists[3])) })
	was := ask(lists[7])
	lists[7][46] = 13000
	sends("one that has changed in its place", 1, func() {
		if ask(lists[7]) == was {
			t.Error("a list that has changed is not noticed")
		}
	})
	kept := some(5, 700, 2)
	sends("one that is kept", 1, func() { f.Keep(kept); f.Keep(kept); ask(kept) })
	kept[699] = 13001
	sends("kept again, when it has changed", 1, func() { f.Keep(kept); ask(kept) })
	sends("and a shorter one in its place", 1, func() { f.Keep(kept[:500]); ask(kept[:500]) })
	for range 3 * maxLists {
		ask(some(rand.IntN(100), 50, 2+rand.IntN(30)))
	}
	if len(f.lists.all) > maxLists {
		t.Errorf("%d lists are held, at most %d should be", len(f.lists.all), maxLists)
	}
	sends("the kept one, that has not been used for long", 1, func() { ask(kept[:500]) })
}

// All lists together stay within their bytes, where the few that a step needs do.
func TestListsAreBoundedByTheirBytes(t *testing.T) {
	var l fluidLists
	context := devicetest.Open(t).Context
	hold := func(nodes int) {
		one := l.spare(4 * nodes)
		if err := one.hold(context, nodes); err != nil {
			t.Fatal(err)
		}
		one.count = nodes
		l.use(one)
	}
	defer l.close()
	total := func() (bytes int) {
		for _, one := range l.all {
			bytes += one.memory.Bytes()
		}
		return bytes
	}
	for range 40 {
		if hold(1 << 20); total() > listBytes+listBytes/8 {
			t.Fatalf("%d lists of 4 MB take %d bytes, at most %d are allowed", len(l.all), total(), listBytes)
		}
	}
	if len(l.all) < 12 {
		t.Errorf("of 40 lists of 4 MB %d are kept", len(l.all))
	}
	for range 3 * leastLists {
		hold(listBytes / 8)
	}
	if len(l.all) != leastLists {
		t.Errorf("%d lists of half the bytes are kept, those of a step are %d", len(l.all), leastLists)
	}
}

// What is fetched into lent memory, and put from it, is what goes by way of the fluid's own
// memory, to the bit, and makes no way there.
func TestExchangeWithLentMemoryIsStraight(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers of code that other tests take through the race detector")
	}
	for _, streaming := range lbm.StreamingNames {
		f, g := small(t, streaming), small(t, streaming)
		nodes := some(100, 1500, 7)
		const stride = 1600
		lent := f.Lend(19 * stride)
		if lent == nil {
			t.Fatal("there is nothing to lend")
		}
		own, into := values[float64](rand.New(rand.NewPCG(3, 4)), 19, 1500, 0), make([][]float64, 19)
		for i := range into {
			into[i] = lent[i*stride : i*stride+1500]
		}
		each := eachTurned(nodes, 19)
		f.Keep(nodes)
		f.Keep(each)
		for _, p := range []*device.CopyBuffer{&f.exchange.out, &f.exchange.in} { // of the start
			if err := p.Host.Free(); err != nil {
				t.Fatal(err)
			}
			p.Host = nil
		}
		for range 5 {
			f.StepFetching(each, into)
			g.StepFetching(each, own)
			for i := range own {
				if !slices.Equal(own[i], into[i]) {
					t.Fatalf("%s: direction %d is another in lent memory", streaming, i)
				}
				for k := range own[i] {
					own[i][k] += 1e-3 * float64(k%7)
					into[i][k] = own[i][k]
				}
			}
			f.Put(nodes, into)
			g.Put(nodes, own)
		}
		if f.exchange.out.Host != nil || f.exchange.in.Host != nil {
			t.Errorf("%s: what lies in lent memory is copied by the host", streaming)
		}
		for i := range 19 {
			a, b := make([]float64, f.cfg.Nodes()), make([]float64, f.cfg.Nodes())
			f.Population(i, a)
			g.Population(i, b)
			if !slices.Equal(a, b) {
				t.Fatalf("%s: population %d is another", streaming, i)
			}
		}
		// Slices that are not at equal distances go the other way.
		into[3] = own[3]
		f.Fetch(each, into)
		g.Fetch(each, own)
		for i := range own {
			if !slices.Equal(own[i], into[i]) {
				t.Fatalf("%s: direction %d is another where one is not lent", streaming, i)
			}
		}
		pinned := f.context.PinnedHeld()
		f.Return(own[0]) // nobody's
		f.Return(lent)
		if freed := pinned - f.context.PinnedHeld(); freed != 19*stride*int(unsafe.Sizeof(lent[0])) {
			t.Errorf("%s: %d bytes are freed when %d have been returned", streaming, freed, 19*stride*8)
		}
	}
}

// A steady step of several free bodies sends no list of nodes, by any schedule that has the
// host couple.
func TestSteadyStepsOfSeveralFreeBodiesSendNoList(t *testing.T) {
	for _, schedule := range []string{"serial", "pipelined"} {
		cfg := flow(t, lbm.D2Q9, [3]int{120, 90, 1})
		f, err := NewFluid[float64](devicetest.Open(t), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.02, 0.01} })
		var bodies []*rigid.Body
		for k := range 5 {
			b := circle(t, 20.3+25*float64(k%3)+float64(k), 25.2+40*float64(k/3), 9)
			b.Free = &rigid.Free{Density: 1.5, Release: 1e6} // held, but ready
			bodies = append(bodies, b)
		}
		pool := parallel.NewPool(1)
		t.Cleanup(pool.Close)
		sim, err := hybrid.NewScheduled(f, hybrid.CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct"}, bodies, pool, hybrid.Plan[float64]{Schedule: schedule})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(sim.Close)
		for range 5 {
			sim.Step()
		}
		before := f.lists.sent
		for range 10 {
			sim.Step()
		}
		if sim.Err() != nil {
			t.Fatal(sim.Err())
		}
		if n := f.lists.sent - before; n != 0 {
			t.Errorf("%s: 10 steps send %d lists", schedule, n)
		}
	}
}
