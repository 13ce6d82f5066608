package mpi

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// Together runs do on n ranks that are goroutines of this process, and returns when all
// have ended: with the error of the first rank that failed, whose text names it. A rank
// that fails, aborts or panics ends the others' calls, now or the next time that they make
// one. So do calls that can never return: all ranks that have not ended wait for each
// other, in different collective calls for instance.
//
// A message is received only while both ranks are between Start and Wait, as MPI does with
// long messages: a program that would hang there is found here with short ones.
func Together(n int, do func(c Comm) error) error {
	return TogetherOn(slices.Repeat([]string{hostName()}, n), do)
}

// TogetherOn is Together on machines of these names, one for each rank.
func TogetherOn(hosts []string, do func(c Comm) error) error {
	g := newGroup(hosts)
	var all sync.WaitGroup
	for _, r := range g.ranks {
		all.Go(func() { r.run(do) })
	}
	all.Wait()
	return g.err
}

// Alone is a Comm of one rank. Calls that would never return panic.
func Alone() Comm {
	g := newGroup([]string{hostName()})
	g.alone = true
	return g.ranks[0]
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "localhost"
	}
	return name
}

// group is the ranks of one Together. Mu guards all of it.
type group struct {
	mu      sync.Mutex
	ranks   []*member
	boxes   map[route]*box
	err     error // why the ranks end
	asleep  int   // ranks that wait
	ended   int   // ranks that have ended
	arrived int   // ranks in the collective call that is being made
	first   *member
	alone   bool // nobody recovers: panics carry the words
	memory  buffers
}

// member is a rank, and its Comm.
type member struct {
	group  *group
	rank   int
	host   string
	wake   sync.Cond
	asleep bool
	ended  bool
	at     call // the collective call that it is in, if any
	served bool // and that has been done
	during *goExchange
}

// unwound is the panic that ends a rank where another has failed.
type unwound struct{}

func newGroup(hosts []string) *group {
	if len(hosts) == 0 {
		panic("mpi: no ranks")
	}
	g := &group{boxes: map[route]*box{}}
	for r, host := range hosts {
		m := &member{group: g, rank: r, host: host}
		m.wake.L = &g.mu
		g.ranks = append(g.ranks, m)
	}
	return g
}

// run is the life of a rank.
func (r *member) run(do func(c Comm) error) {
	returned := false
	defer func() {
		var err error
		switch x := recover().(type) {
		case nil:
			if !returned { // runtime.Goexit, as of testing.T.FailNow
				err = errors.New("its goroutine ended before its work")
			}
		case unwound:
		default:
			err = fmt.Errorf("panic: %v\n%s", x, debug.Stack())
		}
		r.end(err)
	}()
	err := do(r)
	returned = true
	if err != nil {
		r.group.mu.Lock()
		r.group.fail(r.name(err))
		r.group.mu.Unlock()
	}
}

func (r *member) end(err error) {
	g := r.group
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		g.fail(r.name(err))
	}
	r.ended = true
	g.ended++
	g.findDeadlock()
}

// name says whose error it is, unless that is said already.
func (r *member) name(err error) error {
	var named *RankError
	if errors.As(err, &named) {
		return err
	}
	return &RankError{Rank: r.rank, Host: r.host, Err: err}
}

// fail ends all ranks; the first reason stays.
func (g *group) fail(err error) {
	if g.err != nil {
		return
	}
	g.err = err
	for _, r := range g.ranks {
		r.rouse()
	}
}

// rouse wakes a rank that sleeps.
func (r *member) rouse() {
	if r.asleep {
		r.asleep = false
		r.group.asleep--
		r.wake.Signal()
	}
}

// sleep waits to be roused, with mu held, also by the end of all ranks.
func (r *member) sleep() {
	g := r.group
	g.check()
	r.asleep = true
	g.asleep++
	g.findDeadlock()
	for r.asleep {
		r.wake.Wait()
	}
}

// check leaves the rank, and mu, where the ranks end.
func (g *group) check() {
	if g.err == nil {
		return
	}
	err := g.err
	g.mu.Unlock()
	if g.alone {
		panic(err.Error())
	}
	panic(unwound{})
}

// findDeadlock fails where nobody is left who could wake a rank that sleeps.
func (g *group) findDeadlock() {
	if g.err == nil && g.asleep > 0 && g.asleep+g.ended == len(g.ranks) {
		g.fail(errors.New("mpi: the ranks wait for each other: " + g.places()))
	}
}

// places tells where the ranks are, the first of them where there are many.
func (g *group) places() string {
	const most = 8
	var all []string
	for i, r := range g.ranks {
		if i == most && len(g.ranks) > most+1 {
			all = append(all, fmt.Sprintf("and %d more", len(g.ranks)-most))
			break
		}
		all = append(all, fmt.Sprintf("rank %d %s", r.rank, r.place()))
	}
	return strings.Join(all, ", ")
}

func (r *member) place() string {
	switch {
	case r.ended:
		return "has ended"
	case r.at.kind != none:
		return "waits in " + r.at.String()
	case r.asleep && r.during != nil:
		return "waits in " + r.during.String()
	}
	return "computes"
}

func (r *member) Rank() int               { return r.rank }
func (r *member) Size() int               { return len(r.group.ranks) }
func (r *member) Host(rank int) string    { return r.group.ranks[rank].host }
func (r *member) Buffer(bytes int) []byte { return r.group.memory.get(bytes) }
func (r *member) Free(buffer []byte)      { r.group.memory.put(buffer) }

func (r *member) Abort(status int, reason string) {
	err := &RankError{Rank: r.rank, Host: r.host, Err: &Aborted{Status: status, Reason: reason}}
	if r.group.alone {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(status)
	}
	r.group.mu.Lock()
	r.group.fail(err)
	r.group.check()
}
