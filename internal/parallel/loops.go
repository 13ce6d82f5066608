package parallel

// Loops shares loops over many items between the workers of a pool. Shorter ones, and all
// without a pool, run share by share on the caller's: waking workers takes longer than they do.
type Loops struct{ Pool *Pool }

// SharedFrom is the number of items from which the workers share a loop.
const SharedFrom = 4096

// Workers is into how many shares a loop is cut, whoever runs them.
func (l Loops) Workers() int {
	if l.Pool == nil {
		return 1
	}
	return l.Pool.Workers()
}

// Run runs a loop over so many items: share is called once for each worker. Closures are
// best made once, so that a step allocates none.
func (l Loops) Run(items int, share func(worker int)) {
	if items >= SharedFrom && l.Pool != nil {
		l.Pool.Run(share)
		return
	}
	for w := range l.Workers() {
		share(w)
	}
}
