package report

import (
	"fmt"
	"strings"
)

// share is a part of the wall time.
type share struct {
	Name, Kind string
	Percent    float64
	Text       string
}

// parts are what the wall time is told of, in order.
var parts = []struct{ key, name string }{
	{"lbm", "fluid"}, {"boundary", "boundaries"}, {"ib", "bodies"}, {"output", "output"},
}

// time is where the wall time went.
func (d *Record) time() (all []share) {
	if d.Summary == nil || len(d.Summary.Share) == 0 {
		return nil
	}
	rest := 1.
	for _, p := range parts {
		v := d.Summary.Share[p.key]
		if !(v >= 0 && v <= 1) {
			return nil
		}
		rest -= v
		all = append(all, share{p.name, p.key, 100 * v, percent(v)})
	}
	if rest > 0.0005 {
		all = append(all, share{"other", "other", 100 * rest, percent(rest)})
	}
	return all
}

func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

// timeNote says how the fluid was computed.
func (d *Record) timeNote() string {
	m := &d.Manifest
	var words []string
	for _, w := range []struct{ name, value string }{
		{"backend", m.Backend}, {"kernel", m.Kernel}, {"streaming", m.Streaming}, {"layout", m.Layout},
	} {
		if w.value != "" {
			words = append(words, w.name+" "+w.value)
		}
	}
	return strings.Join(words, ", ")
}
