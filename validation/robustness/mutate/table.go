package mutate

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Table changes the cells and rows of a CSV table.
func Table(text string, r *rand.Rand) string {
	for range 1 + r.IntN(3) {
		rows := strings.SplitAfter(text, "\n")
		i := r.IntN(len(rows))
		cells := strings.Split(strings.TrimSuffix(rows[i], "\n"), ",")
		k := r.IntN(len(cells))
		switch n := r.IntN(100); {
		case n < 35:
			cells[k] = pick(r, numbers)
		case n < 45:
			cells[k] = nudged(cells[k], r)
		case n < 52:
			cells[k] = pick(r, []string{"", " ", `"`, `""`, `"1`, "a", "t", "factor", "1;2", "1 2", "0x10", "1,5", "\x00", "#", "\ufeff", strings.Repeat("9", 1+r.IntN(5000))})
		case n < 58:
			cells = slices.Delete(cells, k, k+1)
		case n < 64:
			cells = slices.Insert(cells, k, slices.Repeat([]string{cells[k]}, 1+r.IntN(20)*r.IntN(100))...)
		case n < 72:
			rows = slices.Delete(rows, i, i+1)
			text = strings.Join(rows, "")
			continue
		case n < 80:
			rows = slices.Insert(rows, r.IntN(len(rows)+1), slices.Repeat([]string{rows[i]}, 1+r.IntN(3)*r.IntN(1000))...)
			text = strings.Join(rows, "")
			continue
		case n < 84:
			text = strings.ReplaceAll(text, "\n", pick(r, []string{"\r\n", "\r", "\n\n"}))
			continue
		default:
			text = string(Bytes([]byte(text), r))
			continue
		}
		rows[i] = strings.Join(cells, ",") + "\n"
		text = strings.Join(rows, "")
	}
	return text
}
