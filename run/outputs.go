package run

import (
	"path"
	"slices"
	"strings"
	"sync"

	"lbmib/internal/durable"
	"lbmib/io/vtkhdf"
	"lbmib/run/observe"
)

// output is a file that the run wrote, as a checkpoint keeps it: a table, of which it
// knows the beginning, or a file of fields or markers.
type output struct {
	Path string `json:"path"` // below the run directory
	durable.Sum
	Series string  `json:"series,omitempty"` // the list that names it; tables are in none
	Time   float64 `json:"time,omitempty"`   // L/U
}

// entry is how its series names a file: relative to itself.
func (o *output) entry() vtkhdf.Entry {
	return vtkhdf.Entry{Name: strings.TrimPrefix(o.Path, path.Dir(o.Series)+"/"), Time: o.Time}
}

// listed is the output that an entry of a series names.
func listed(series string, e vtkhdf.Entry) output {
	return output{Path: path.Join(path.Dir(series), e.Name), Series: series, Time: e.Time}
}

// outputs are the files of fields and markers, in the order in which they were written.
// What writes them and what refers to them go on beside each other.
type outputs struct {
	mutex sync.Mutex
	files []output
}

func (o *outputs) add(files ...output) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.files = append(o.files, files...)
}

// entries are those of a series.
func (o *outputs) entries(series string) (all []vtkhdf.Entry) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for i := range o.files {
		if o.files[i].Series == series {
			all = append(all, o.files[i].entry())
		}
	}
	return all
}

// has tells whether the newest file of a series is of a state.
func (o *outputs) has(series string, now observe.Moment) bool {
	all := o.entries(series)
	return len(all) > 0 && all[len(all)-1].Time == now.Time
}

// until are the files of states up to a time.
func (o *outputs) until(time float64) []output {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return slices.DeleteFunc(slices.Clone(o.files), func(f output) bool { return f.Time > time })
}
