package mutate

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Cases makes case files from those that are there.
type Cases struct {
	texts  []string
	keys   []string            // of all
	values map[string][]string // by key
}

// NewCases begins with the texts of cases.
func NewCases(texts []string) *Cases {
	c := &Cases{texts: texts, values: map[string][]string{}}
	for _, text := range texts {
		for _, t := range tokens(text) {
			word := text[t.at:t.end]
			switch {
			case (t.kind == key || t.kind == header) && !slices.Contains(c.keys, word):
				c.keys = append(c.keys, word)
			case t.kind == value && !slices.Contains(c.values[t.of], word):
				c.values[t.of] = append(c.values[t.of], word)
			}
		}
	}
	return c
}

// Mutant is a case with one to five changes, and now and then what is set on the
// command line.
func (c *Cases) Mutant(r *rand.Rand) (text string, sets []string) {
	text = pick(r, c.texts)
	for range 1 + min(r.IntN(3), r.IntN(5)) {
		text = c.change(text, r)
	}
	if r.IntN(10) == 0 {
		sets = append(sets, c.path(r)+"="+extreme(r))
	}
	return text, sets
}

// change does one change.
func (c *Cases) change(text string, r *rand.Rand) string {
	all := tokens(text)
	if len(all) == 0 {
		return text + pick(r, c.keys) + " = " + extreme(r) + "\n"
	}
	switch n := r.IntN(100); {
	case n < 30:
		return replaceAny(text, all, value, r, func(string, token) string { return extreme(r) })
	case n < 42:
		return replaceAny(text, all, value, r, func(old string, _ token) string { return nudged(old, r) })
	case n < 52:
		return replaceAny(text, all, value, r, func(old string, t token) string {
			if known := c.values[t.of]; len(known) > 0 {
				return pick(r, known)
			}
			return old
		})
	case n < 58:
		return replaceAny(text, all, key, r, func(old string, _ token) string { return c.renamed(old, r) })
	case n < 61:
		return replaceAny(text, all, header, r, func(old string, _ token) string { return c.renamed(old, r) })
	case n < 67:
		return c.lines(text, r)
	case n < 77:
		at := pick(r, all).line
		return text[:at] + c.path(r) + " = " + c.anything(r) + "\n" + text[at:]
	case n < 83:
		return elements(text, all, r)
	case n < 86:
		return deep(text, pick(r, all).line, r)
	case n < 89:
		return replaceAny(text, all, punct, r, func(string, token) string { return pick(r, []string{"", "[", "]", "{", "}", ",", "=", "\n", "#"}) })
	case n < 92:
		other := pick(r, c.texts)
		return text[:r.IntN(len(text)+1)] + other[r.IntN(len(other)+1):]
	}
	return string(Bytes([]byte(text), r))
}

// replaceAny replaces one of the tokens of a kind.
func replaceAny(text string, all []token, k kind, r *rand.Rand, by func(old string, t token) string) string {
	first, n := r.IntN(len(all)), 0
	for n < len(all) && all[(first+n)%len(all)].kind != k {
		n++
	}
	t := all[(first+n)%len(all)]
	if t.kind != k {
		return text
	}
	return text[:t.at] + by(text[t.at:t.end], t) + text[t.end:]
}

// nudged is a number near by or far away; what is none stays.
func nudged(old string, r *rand.Rand) string {
	v, err := strconv.ParseFloat(strings.ReplaceAll(old, "_", ""), 64)
	if err != nil {
		return old
	}
	switch r.IntN(5) {
	case 0:
		v = -v
	case 1:
		v *= math.Pow(10, float64(r.IntN(41)-20))
	case 2:
		v = math.Nextafter(v, math.Inf(1))
	case 3:
		v += r.NormFloat64()
	case 4:
		v *= 1 + r.NormFloat64()/10
	}
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") && strings.Contains(old, ".") {
		text += ".0"
	}
	return text
}

// renamed is another key: one that there is, one with a letter changed, a dotted one.
func (c *Cases) renamed(old string, r *rand.Rand) string {
	switch r.IntN(5) {
	case 0:
		return old + "." + pick(r, c.keys)
	case 1:
		i := r.IntN(len(old) + 1)
		return old[:i] + string(rune('a'+r.IntN(26))) + old[i:]
	case 2:
		return `"` + strings.Trim(old, `"`) + `"`
	}
	return pick(r, c.keys)
}

// path is a dotted key, mostly of those that there are.
func (c *Cases) path(r *rand.Rand) string {
	parts := []string{pick(r, c.keys)}
	for r.IntN(2) == 0 && len(parts) < 4 {
		parts = append(parts, pick(r, append([]string{"0", "1", "-1", "999999999999"}, pick(r, c.keys))))
	}
	return strings.Join(parts, ".")
}

// anything is a value: of a key, or an extreme.
func (c *Cases) anything(r *rand.Rand) string {
	if known := c.values[pick(r, c.keys)]; r.IntN(2) == 0 && len(known) > 0 {
		return pick(r, known)
	}
	return extreme(r)
}

// lines drops, doubles or moves lines.
func (c *Cases) lines(text string, r *rand.Rand) string {
	list := strings.SplitAfter(text, "\n")
	i := r.IntN(len(list))
	n := 1 + r.IntN(min(12, len(list)-i))
	block := slices.Clone(list[i : i+n])
	switch r.IntN(3) {
	case 0:
		list = slices.Delete(list, i, i+n)
	case 1:
		list = slices.Insert(list, r.IntN(len(list)+1), slices.Repeat(block, 1+r.IntN(3)*r.IntN(30))...)
	case 2:
		list = slices.Delete(list, i, i+n)
		list = slices.Insert(list, r.IntN(len(list)+1), block...)
	}
	return strings.Join(list, "")
}

// elements doubles or drops an element of an array.
func elements(text string, all []token, r *rand.Rand) string {
	first := r.IntN(len(all))
	for n := range all {
		i := (first + n) % len(all)
		if i+1 >= len(all) || all[i].kind != value || text[all[i+1].at] != ',' {
			continue
		}
		at, end := all[i].at, all[i+1].end
		if r.IntN(2) == 0 {
			return text[:at] + text[end:]
		}
		return text[:at] + strings.Repeat(text[at:end]+" ", 1+r.IntN(4)) + text[at:]
	}
	return text
}

// deep puts in something that goes deep or is much of a kind.
func deep(text string, at int, r *rand.Rand) string {
	n := 1 + r.IntN(2000)
	var piece string
	switch r.IntN(5) {
	case 0:
		piece = "a" + strings.Repeat(".a", n) + " = 1\n"
	case 1:
		piece = "[a" + strings.Repeat(".b", n) + "]\n"
	case 2:
		piece = strings.Repeat("[[body]]\n", n)
	case 3:
		var b strings.Builder
		for i := range n {
			b.WriteString("k" + strconv.Itoa(i) + " = 1\n")
		}
		piece = b.String()
	case 4:
		piece = strings.Repeat("[a]\n", 1+r.IntN(3)) + "b.c.d = { e = [" + strings.Repeat("{},", n) + "] }\n"
	}
	return text[:at] + piece + text[at:]
}
