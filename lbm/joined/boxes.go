package joined

import "lbmib/lbm"

// meet is what two boxes have in common; without nodes if they have none.
func meet(a, b lbm.Box) lbm.Box {
	for k := range a.Lo {
		a.Lo[k] = max(a.Lo[k], b.Lo[k])
		a.Hi[k] = max(min(a.Hi[k], b.Hi[k]), a.Lo[k])
	}
	return a
}

// without are boxes less one.
func without(boxes []lbm.Box, o lbm.Box, dim int) (rest []lbm.Box) {
	for _, b := range boxes {
		if meet(b, o).Nodes() == 0 {
			rest = append(rest, b)
			continue
		}
		for a := range dim { // slabs before and behind along each axis
			before, behind := b, b
			before.Hi[a] = min(b.Hi[a], max(o.Lo[a], b.Lo[a]))
			behind.Lo[a] = max(b.Lo[a], min(o.Hi[a], b.Hi[a]))
			for _, s := range [2]lbm.Box{before, behind} {
				if s.Nodes() > 0 {
					rest = append(rest, s)
				}
			}
			b.Lo[a], b.Hi[a] = max(b.Lo[a], o.Lo[a]), min(b.Hi[a], o.Hi[a])
		}
	}
	return rest
}
