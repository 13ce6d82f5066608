package partition

// Machine is what each rank runs on and what joins them, for predictions.
type Machine struct {
	Rate      float64 // updates of nodes that a rank makes in a second
	Latency   float64 // seconds that a message takes beside its bytes
	Bandwidth float64 // bytes that a rank sends in a second while it receives as many
	Seam      float64 // work of a pair of nodes at a seam across y or z, in updates; across x it is twice that
}

// What a network is taken to be where it is not told: about that of a cluster's InfiniBand at 100 Gbit/s. It is stated, not measured.
const (
	StatedLatency   = 2e-6
	StatedBandwidth = 10e9
)

// Load is what a rank has to do in a step.
type Load struct {
	Work     float64 // updates of nodes, and in units of them what seams and short rows take
	Inner    float64 // of that, of nodes that need nothing of other ranks
	Messages int     // to as many ranks
	Bytes    float64 // that it sends
}

// exchange is the time that messages take, in seconds.
func (m Machine) exchange(l Load) float64 {
	return m.Latency*float64(l.Messages) + l.Bytes/m.Bandwidth
}

// Exposed is the time of a step, in seconds, where nothing is computed while messages travel.
func (m Machine) Exposed(l Load) float64 { return l.Work/m.Rate + m.exchange(l) }

// Hidden is the time of a step, in seconds, where inner nodes are computed while messages travel.
func (m Machine) Hidden(l Load) float64 {
	return max(l.Inner/m.Rate, m.exchange(l)) + (l.Work-l.Inner)/m.Rate
}

// Loads are those of the ranks on such machines, whose populations take so many bytes each. boxes are the ranks', of whose rows more are counted than the domain has for as
// many nodes; nil: they have none.
func (b *Blocks) Loads(m *Measure, at Machine, boxes []Box, bytes int) []Load {
	all := make([]Load, len(m.Weight))
	for r := range all {
		l := &all[r]
		l.Work = m.Weight[r] + m.Seams[r]*(at.Seam+b.Points)/b.seamWork()
		l.Inner = max(0, m.Weight[r]-m.Pairs[r])
		if boxes != nil {
			of := boxes[r]
			rows := float64((of.Hi[1] - of.Lo[1]) * (of.Hi[2] - of.Lo[2]))
			l.Work += b.rowWork() * (rows - float64(of.Nodes())/float64(b.Size[0]))
		}
		l.Messages, l.Bytes = m.Neighbours[r], m.Crossing[r]*float64(bytes)
	}
	return all
}
