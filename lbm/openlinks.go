package lbm

import "slices"

// openLinks take populations from ghosts of open faces. Those of a row that come from one
// ghost after the other along one velocity are a run, and rows with the same runs share
// them, as rows share copyLinks. Where fluid enters through a velocity face they are
// wallLinks instead.
type openLinks[T Float] struct {
	runs []openRun
	gain []T    // 6 w_i c_i·u of the links of velocity faces, by run
	rows []span // of runs, of each row of the domain

	row    []openLink // of the row or run that is being compiled
	number int32      // of links in the same row before it
}

// openRun are links of a row. Places in memory count from the row's base, nodes of the
// face from that at the beginning of the row.
type openRun struct {
	to, back, step int   // where the kernel pulls, where what bounces off the face lies, and how far it is to the next
	node, count    int32 // whose ghost sends to the first, and links
	number, stride int32 // of the first among the links of the row, and to the next: noise goes by it
	gain           int32 // of the first
	face, which    uint8 // of the velocities that enter there
}

// openLink is a link that the kernel pulls along a direction.
type openLink struct {
	openRun
	pulled uint8
	moving bool // of a velocity face
	gain   float64
}

// endRow makes runs of the links of a row, whose nodes of faces count from those that first
// tells. They are dropped where those of the row before, or of the row of the plane before,
// are the same.
func (l *openLinks[T]) endRow(row, base, plane int, first func(face uint8) int) {
	for k := range l.row {
		l.row[k].number = l.number + int32(k)
	}
	l.number += int32(len(l.row))
	slices.SortStableFunc(l.row, func(a, b openLink) int { return int(a.pulled) - int(b.pulled) })
	r, gains := span{lo: int32(len(l.runs))}, len(l.gain)
	pulled := uint8(0)
	for _, k := range l.row {
		k.to, k.back, k.node = k.to-base, k.back-base, k.node-int32(first(k.face))
		if last := len(l.runs) - 1; k.pulled != pulled || last < int(r.lo) || !l.runs[last].extend(&k.openRun) {
			k.openRun.gain = int32(len(l.gain))
			l.runs = append(l.runs, k.openRun)
		}
		if k.moving {
			l.gain = append(l.gain, T(k.gain))
		}
		pulled = k.pulled
	}
	r.hi, l.row = int32(len(l.runs)), l.row[:0]
	for _, other := range [2]int{row - 1, row - plane} {
		if other >= 0 && l.alike(r, l.rows[other], gains) {
			l.runs, l.gain = l.runs[:r.lo], l.gain[:gains]
			r = l.rows[other]
			break
		}
	}
	l.rows = append(l.rows, r)
}

// extend lets a run go on with a link, if it does.
func (r *openRun) extend(k *openRun) bool {
	if r.count == 1 {
		r.step, r.stride = k.to-r.to, k.number-r.number
	}
	n := int(r.count)
	if k.face != r.face || k.which != r.which || k.node != r.node+r.count || k.number != r.number+r.count*r.stride ||
		k.to != r.to+n*r.step || k.back != r.back+n*r.step {
		return false
	}
	r.count++
	return true
}

// alike tells whether the runs of a row, the last, are those of another; its gains begin
// at a place.
func (l *openLinks[T]) alike(a, b span, gains int) bool {
	if a.hi-a.lo != b.hi-b.lo {
		return false
	}
	for k := a.lo; k < a.hi; k++ {
		r, s := l.runs[k], l.runs[b.lo+k-a.lo]
		r.gain, s.gain = 0, 0
		if r != s {
			return false
		}
	}
	if a.lo == a.hi {
		return true
	}
	other := int(l.runs[b.lo].gain)
	own := l.gain[gains:]
	return other+len(own) <= gains && slices.Equal(own, l.gain[other:other+len(own)])
}

// fill writes the links of open faces into a row, or run, in a step.
func (o *openRows[T, S]) fill(l *openLinks[T], amplitude *[6]T, run int, step int64) {
	runs := l.runs[l.rows[run].lo:l.rows[run].hi]
	if len(runs) == 0 {
		return
	}
	row := int(o.in.runs[run].row)
	seed, base, now := seedOf[S](forOpenFaces, step, row), o.in.base(run), o.in.now
	for k := range runs {
		r := &runs[k]
		face := o.faces[r.face]
		n, to, number := face.first(row, o.in.cfg.Size[1])+int(r.node), base+r.to, int(r.number)
		if face.Kind == Outflow {
			at := int(r.which)*face.count + n
			sent, excess := face.sent[step&1][at:], face.excess[step&1][at:]
			for j := range int(r.count) {
				now[to] = dithered[S](sent[j]+excess[j], noise[S](seed, number), 0)
				to, number = to+r.step, number+int(r.stride)
			}
			continue
		}
		for j := range int(r.count) {
			var v T
			if face.Bounces && !face.Leaves(n+j, float64(amplitude[face.Side])) {
				v = decode[T](now[base+r.back+j*r.step]) + amplitude[face.Side]*l.gain[int(r.gain)+j] // as wallLinks
			} else {
				v = face.arriving(o.tables, step, amplitude, n+j, int(r.which))
			}
			now[to] = dithered[S](v, noise[S](seed, number), 0)
			to, number = to+r.step, number+int(r.stride)
		}
	}
}
