package observe

import (
	"lbmib/io/table"
)

// Table is a time series: what an observer embeds that writes rows at an interval, which then
// only has to observe.
type Table struct {
	*table.Writer
	Name    string // of the file, below the run directory
	Every   int64  // steps between rows
	columns int
	row     []any // kept from row to row
}

// Table begins a table, or continues it where the checkpoint that the run goes on from left it.
// Every is in L/U. A version that wrote fewer columns is told by before: how many of the last
// columns it left out, if the table was begun by one.
func (o *Outputs[T]) Table(name string, columns []string, every float64, before ...int) (*Table, error) {
	if folder := folderOf(name); folder != "" {
		if err := o.Dir.MakeDir(folder); err != nil {
			return nil, err
		}
	}
	path := o.Dir.File(name)
	t := &Table{Name: name, Every: o.Case.StepsOf(every), columns: len(columns)}
	var err error
	if o.resumed == nil {
		t.Writer, err = table.Create(path, columns)
	} else {
		for _, fewer := range before {
			if old := columns[:len(columns)-fewer]; table.Begins(path, old) {
				t.columns = len(old)
				break
			}
		}
		t.Writer, err = table.Resume(path, columns[:t.columns], o.resumed.Offsets.Of(name))
	}
	if err != nil {
		return nil, err
	}
	o.tables = append(o.tables, t)
	return t, nil
}

// Due is every so many steps.
func (t *Table) Due(step int64) bool { return step%t.Every == 0 }

// Save flushes the rows and keeps their length and checksum.
func (t *Table) Save(to *Saved) error {
	n, err := t.Flush()
	to.Offsets.Set(t.Name, n)
	to.Outputs = append(to.Outputs, File{Path: t.Name, Sum: t.Sum()})
	return err
}

// Restore does nothing: the table was opened where the checkpoint left it.
func (t *Table) Restore(*Saved) error { return nil }
