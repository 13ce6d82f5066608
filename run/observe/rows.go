package observe

import (
	"slices"

	"lbmib/io/table"
)

// tellRows has the rows of a table told to who asks for them: first those that are there already, of the run that this one
// continues. Tables without a time, and those with many rows of a time, are not told of.
func (o *Outputs[T]) tellRows(t *Table, columns []string, path string) {
	if o.Row == nil || len(columns) < 3 || columns[0] != "t" || columns[1] != "step" {
		return
	}
	if slices.Contains(columns, "s") { // along a line or a surface at a time: no series
		return
	}
	names := slices.Clone(columns)
	t.told = func(row []any) { o.Row(t.Name, names, row) }
	if o.resumed == nil {
		return
	}
	earlier, err := table.Read(path)
	if err != nil {
		return // of what is only shown
	}
	row := make([]any, len(names))
	var numbers [][]float64
	var texts [][]string
	for _, name := range names {
		v, err := earlier.Float(name, nil)
		var words []string
		if err != nil {
			words, _ = earlier.Text(name, nil)
		}
		numbers, texts = append(numbers, v), append(texts, words)
	}
	for k := range earlier.Rows() {
		for c := range names {
			switch {
			case k < len(texts[c]):
				row[c] = texts[c][k]
			case k < len(numbers[c]):
				row[c] = numbers[c][k]
			default:
				row[c] = nil
			}
		}
		t.told(row)
	}
}
