package mpi

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// soon fails a test whose ranks do not end.
func soon(t *testing.T, n int, do func(c Comm) error) error {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- Together(n, do) }()
	select {
	case err := <-ended:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("the ranks do not end")
		return nil
	}
}

// What can never go on, and what fails in one rank, ends all of them, with words.
func TestRanksEndWithWords(t *testing.T) {
	buffered := func(c Comm, n int) []byte { return c.Buffer(n) }
	for _, x := range []struct {
		name string
		n    int
		do   func(c Comm) error
		says []string
	}{
		{"two collective calls", 2, func(c Comm) error {
			if c.Rank() == 0 {
				c.Barrier()
			} else {
				c.Broadcast(0, make([]byte, 3))
			}
			return nil
		}, []string{"do not fit together", "rank 0 waits in Barrier, rank 1 in Broadcast of 3 bytes from rank 0"}},
		{"two roots", 2, func(c Comm) error {
			c.Broadcast(c.Rank(), make([]byte, 3))
			return nil
		}, []string{"do not fit together", "from rank 0", "from rank 1"}},
		{"two lengths", 2, func(c Comm) error {
			c.Broadcast(0, make([]byte, 3+c.Rank()))
			return nil
		}, []string{"do not fit together", "of 3 bytes", "of 4 bytes"}},
		{"two counts", 2, func(c Comm) error {
			counts := []int{1, 1}
			counts[1-c.Rank()] += c.Rank()
			c.AllGather(make([]byte, 1), counts, make([]byte, counts[0]+counts[1]))
			return nil
		}, []string{"do not fit together", "counts are"}},
		{"an exchange and a collective call", 3, func(c Comm) error {
			if c.Rank() == 2 {
				e := c.Exchange(nil, []Message{{Peer: 1, Tag: 7, Data: buffered(c, 24)}})
				e.Start()
				e.Wait()
			}
			c.Barrier()
			return nil
		}, []string{"wait for each other", "rank 0 waits in Barrier", "rank 1 waits in Barrier", "rank 2 waits in Wait of an exchange for 24 bytes of rank 1 with tag 7"}},
		{"a rank that has ended", 2, func(c Comm) error {
			if c.Rank() == 1 {
				c.Barrier()
			}
			return nil
		}, []string{"rank 0 has ended, rank 1 waits in Barrier"}},
		{"a message that nobody takes", 2, func(c Comm) error {
			if c.Rank() == 0 {
				e := c.Exchange([]Message{{Peer: 1, Tag: 2, Data: buffered(c, 8)}}, nil)
				e.Start()
				e.Wait()
			}
			return nil
		}, []string{"rank 0 waits in Wait of an exchange for rank 1 to take 8 bytes with tag 2, rank 1 has ended"}},
		{"two sizes of a message", 2, func(c Comm) error {
			m := []Message{{Peer: 1 - c.Rank(), Data: buffered(c, 8+8*c.Rank())}}
			e := c.Exchange(m[:1-c.Rank()], m[:c.Rank()])
			e.Start()
			e.Wait()
			return nil
		}, []string{"rank 0 sends 8 bytes to rank 1 with tag 0, which awaits 16 there"}},
		{"a panic", 3, func(c Comm) error {
			if c.Rank() == 1 {
				panic("out of range")
			}
			c.Barrier()
			return nil
		}, []string{"rank 1 on ", "panic: out of range", "together_test.go"}},
		{"an error", 3, func(c Comm) error {
			if c.Rank() == 2 {
				return errors.New("no such file")
			}
			c.Barrier()
			return nil
		}, []string{"rank 2 on ", ": no such file"}},
		{"Abort", 3, func(c Comm) error {
			if c.Rank() == 2 {
				c.Abort(7, "diverged")
			}
			for { // not blocked: it ends with its next call
				c.Barrier()
			}
		}, []string{"rank 2 on ", ": diverged"}},
		{"a goroutine that ends", 2, func(c Comm) error {
			if c.Rank() == 0 {
				ended := &testing.T{}
				ended.FailNow()
			}
			c.Barrier()
			return nil
		}, []string{"rank 0 on ", "ended before its work"}},
		{"many ranks", 40, func(c Comm) error {
			if c.Rank() != 39 {
				c.Barrier()
			}
			return nil
		}, []string{"rank 7 waits in Barrier, and 32 more"}},
		{"memory of another's", 1, func(c Comm) error {
			c.Exchange([]Message{{Data: make([]byte, 5)}}, nil)
			return nil
		}, []string{"rank 0", "5 bytes are not memory of Buffer"}},
		{"no such rank", 2, func(c Comm) error {
			c.Exchange([]Message{{Peer: 2}}, nil)
			return nil
		}, []string{"a message to rank 2: there are 2 ranks"}},
		{"too great a tag", 2, func(c Comm) error {
			c.Exchange(nil, []Message{{Tag: MaxTag + 1}})
			return nil
		}, []string{"a message from rank 0: tag 32767 is not in 0 … 32766"}},
		{"own of a wrong length", 2, func(c Comm) error {
			c.AllGather(make([]byte, 2), []int{1, 1}, make([]byte, 2))
			return nil
		}, []string{"AllGather on rank", "own has 2 bytes, its count is 1"}},
		{"started twice", 1, func(c Comm) error {
			e := c.Exchange(nil, []Message{{Data: buffered(c, 1)}})
			e.Start()
			e.Start()
			return nil
		}, []string{"Start on rank 0 of an exchange that is started"}},
		{"not started", 1, func(c Comm) error {
			c.Exchange(nil, nil).Wait()
			return nil
		}, []string{"Wait on rank 0 for an exchange that is not started"}},
		{"freed twice", 1, func(c Comm) error {
			b := buffered(c, 100)
			c.Free(b)
			c.Free(b)
			return nil
		}, []string{"Free of 100 bytes"}},
	} {
		err := soon(t, x.n, x.do)
		if err == nil {
			t.Errorf("%s: no error", x.name)
			continue
		}
		for _, says := range x.says {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %q is not in %q", x.name, says, err)
			}
		}
	}
}

func TestARankAloneDoesNotWaitForItself(t *testing.T) {
	defer func() {
		const says = "rank 0 waits in Wait of an exchange for 4 bytes of rank 0 with tag 0"
		if text := fmt.Sprint(recover()); !strings.Contains(text, says) {
			t.Errorf("%q is not in %q", says, text)
		}
	}()
	c := Alone()
	e := c.Exchange(nil, []Message{{Data: c.Buffer(4)}})
	e.Start()
	e.Wait()
}

func TestAbortTellsItsStatus(t *testing.T) {
	err := soon(t, 2, func(c Comm) error {
		if c.Rank() == 1 {
			c.Abort(9, "no")
		}
		c.Barrier()
		return nil
	})
	var a *Aborted
	if !errors.As(err, &a) || a.Status != 9 {
		t.Errorf("got %v", err)
	}
}

func TestAnErrorThatNamesARankIsNotNamedTwice(t *testing.T) {
	err := soon(t, 3, func(c Comm) error {
		var own error
		if c.Rank() > 0 {
			own = fmt.Errorf("error %d", c.Rank())
		}
		return AgreeError(c, own)
	})
	if want := "rank 1 on " + hostName() + ": error 1"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestRanksOfEveryKind(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 7} {
		if err := soon(t, n, func(c Comm) error { return conform(c) }); err != nil {
			t.Errorf("%d ranks: %v", n, err)
		}
	}
	if err := conform(Alone()); err != nil {
		t.Error(err)
	}
}

func TestRanksShareTheirMachines(t *testing.T) {
	hosts := []string{"a", "b", "a", "a", "b"}
	got := make([][2]int, len(hosts))
	if err := TogetherOn(hosts, func(c Comm) error {
		got[c.Rank()][0], got[c.Rank()][1] = Local(c)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := "[[0 3] [0 2] [1 3] [2 3] [1 2]]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestAnExchangeAllocatesNothing(t *testing.T) {
	const times = 100
	if err := soon(t, 2, func(c Comm) error {
		peer := 1 - c.Rank()
		e := c.Exchange([]Message{{Peer: peer, Data: c.Buffer(64)}}, []Message{{Peer: peer, Data: c.Buffer(64)}})
		step := func() {
			e.Start()
			e.Wait()
		}
		if c.Rank() == 0 {
			if n := testing.AllocsPerRun(times, step); n != 0 {
				return fmt.Errorf("%v allocations", n)
			}
			return nil
		}
		for range times + 1 {
			step()
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// Memory for processes and for goroutines.
func TestBuffersAreZeroedAndAligned(t *testing.T) {
	for _, mapped := range []bool{false, true} {
		m := buffers{mapped: mapped}
		b := m.get(5000)
		if len(b) != 5000 || cap(b) != 5000 || address(b)%64 != 0 {
			t.Errorf("%d bytes of %d at %#x", len(b), cap(b), address(b))
		}
		for i := range b {
			b[i] = 1
		}
		m.put(b)
		again := m.get(5010)
		if address(again) != address(b) {
			t.Error("what was freed is not used again")
		}
		if !bytes.Equal(again, make([]byte, 5010)) {
			t.Error("it is not zeroed")
		}
		if empty := m.get(0); empty == nil || len(empty) != 0 {
			t.Errorf("%v", empty)
		}
	}
}

func TestWhatIsOfABufferIsKnown(t *testing.T) {
	for _, mapped := range []bool{false, true} {
		m := buffers{mapped: mapped}
		all := [][]byte{m.get(100), m.get(5000), m.get(4096), m.get(1), m.get(3 << 20)}
		for i, b := range all {
			if !m.has(b) || !m.has(b[len(b)/2:]) || !m.has(b[:0]) {
				t.Errorf("buffer %d is not known", i)
			}
		}
		if m.has(make([]byte, 8)) {
			t.Error("other memory is taken for a buffer")
		}
		m.put(all[1])
		if m.has(all[1]) {
			t.Error("what is freed is taken for a buffer")
		}
	}
}

func TestViews(t *testing.T) {
	b := Alone().Buffer(24)
	View[float64](b)[2] = 1.5
	if View[int64](b[16:])[0] != 0x3ff8000000000000 || !bytes.Equal(Bytes(View[float32](b)), b) {
		t.Errorf("% x", b)
	}
	for _, odd := range [][]byte{b[:7], b[1:9]} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("% x are taken for a number", odd)
				}
			}()
			View[int64](odd)
		}()
	}
}

func BenchmarkExchangeOfGoroutines(b *testing.B) {
	for _, bytes := range []int{8, 64 << 10, 2600 << 10} {
		b.Run(fmt.Sprintf("bytes=%d", bytes), func(b *testing.B) {
			b.SetBytes(int64(bytes))
			if err := Together(2, func(c Comm) error {
				m := []Message{{Peer: 1 - c.Rank(), Data: c.Buffer(bytes)}}
				e := c.Exchange(m, []Message{{Peer: 1 - c.Rank(), Data: c.Buffer(bytes)}})
				for range b.N {
					e.Start()
					e.Wait()
				}
				return nil
			}); err != nil {
				b.Fatal(err)
			}
		})
	}
}
