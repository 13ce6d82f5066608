package observe

import (
	"path"
	"slices"
	"strings"
	"sync"

	"lbmib/internal/durable"
	"lbmib/io/vtkhdf"
)

// File is a file that the run wrote, as a checkpoint keeps it: a table, of which it
// knows the beginning, or a file of fields or markers.
type File struct {
	Path string `json:"path"` // below the run directory
	durable.Sum
	Series string  `json:"series,omitempty"` // the list that names it; tables are in none
	Time   float64 `json:"time,omitempty"`   // L/U
}

// Entry is how its series names a file: relative to itself.
func (o *File) Entry() vtkhdf.Entry {
	return vtkhdf.Entry{Name: strings.TrimPrefix(o.Path, path.Dir(o.Series)+"/"), Time: o.Time}
}

// Listed is the file that an entry of a series names.
func Listed(series string, e vtkhdf.Entry) File {
	return File{Path: path.Join(path.Dir(series), e.Name), Series: series, Time: e.Time}
}

// Files are the files of fields and markers, in the order in which they were written.
// What writes them and what refers to them go on beside each other.
type Files struct {
	mutex sync.Mutex
	files []File
}

// Add keeps files that have been written.
func (o *Files) Add(files ...File) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.files = append(o.files, files...)
}

// entries are those of a series.
func (o *Files) entries(series string) (all []vtkhdf.Entry) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for i := range o.files {
		if o.files[i].Series == series {
			all = append(all, o.files[i].Entry())
		}
	}
	return all
}

// has tells whether the newest file of a series is of a state.
func (o *Files) has(series string, now Moment) bool {
	all := o.entries(series)
	return len(all) > 0 && all[len(all)-1].Time == now.Time
}

// Until are the files of states up to a time.
func (o *Files) Until(time float64) []File {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return slices.DeleteFunc(slices.Clone(o.files), func(f File) bool { return f.Time > time })
}
