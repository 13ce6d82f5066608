package disk

import "math/rand/v2"

// Loss is what a failure of the power takes of what is not safe.
type Loss int

// The losses that file systems are known to cause, and an arbitrary one.
const (
	All     Loss = iota // everything that was not synced is gone
	Content             // names and lengths are there, bytes that were not synced are zeros
	Some                // of what was not synced, any part is there, torn writes included
)

// Losses are all of them.
var Losses = []Loss{All, Content, Some}

func (l Loss) String() string {
	return [...]string{"all that was not synced", "content that was not synced", "some of what was not synced"}[l]
}

// sector is the unit, in bytes, in which a disk writes wholly or not at all.
const sector = 512

// After is what the disk may hold if the power fails at a moment, 0 ≤ moment <
// Moments(), with the given loss.
func (r *Recording) After(moment int, loss Loss, random *rand.Rand) (Tree, error) {
	return r.tree(moment, func(n *node) (map[string]*node, []byte) {
		switch loss {
		case All:
			return n.safeEntries, n.safeData
		case Content:
			data := append([]byte{}, n.safeData[:min(len(n.safeData), len(n.data))]...)
			return n.entries, dataChange{at: int64(len(n.data))}.on(data)
		}
		return n.someEntries(random), n.someData(random)
	})
}

// tree is what pick takes of every file and directory as they are at a moment.
func (r *Recording) tree(moment int, pick func(*node) (map[string]*node, []byte)) (Tree, error) {
	n := 0
	if moment > 0 {
		n = r.ends[moment-1]
	}
	f, err := r.follow(n)
	if err != nil {
		return nil, err
	}
	t := Tree{}
	collect(t, "", f.tree, pick)
	return t, nil
}

func (n *node) someEntries(random *rand.Rand) map[string]*node {
	entries := map[string]*node{}
	for name, to := range n.safeEntries {
		entries[name] = to
	}
	for _, c := range n.pendingNames {
		if random.IntN(2) == 0 {
			continue
		}
		for name, to := range c {
			set(entries, name, to)
		}
	}
	return entries
}

func (n *node) someData(random *rand.Rand) []byte {
	data := append([]byte{}, n.safeData...)
	for _, c := range n.pendingData {
		switch random.IntN(3) {
		case 0:
			continue
		case 1:
			if sectors := len(c.data) / sector; sectors > 0 {
				c.data = c.data[:sector*random.IntN(sectors+1)]
				if len(c.data) == 0 {
					continue
				}
			}
		}
		data = c.on(data)
	}
	return data
}

// Seen is what the process saw at a moment: nothing is lost.
func (r *Recording) Seen(moment int) (Tree, error) {
	return r.tree(moment, func(n *node) (map[string]*node, []byte) { return n.entries, n.data })
}
