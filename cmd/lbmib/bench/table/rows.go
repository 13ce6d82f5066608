package table

// Property is a column of a table of rows of type R.
type Property[R any] struct {
	title, unit string
	quantity    bool
	text        func(*R) string
}

// Name is a property that is told once, above the table, where it is the same in
// all rows; unit may be empty.
func Name[R any](title, unit string, text func(*R) string) Property[R] {
	return Property[R]{title, unit, false, text}
}

// Quantity is a property that always has a column.
func Quantity[R any](title, unit string, text func(*R) string) Property[R] {
	return Property[R]{title, unit, true, text}
}

// Of is the table of rows, and what is the same in all of them.
func Of[R any](properties []Property[R], rows []R) (table Table, same []string) {
	for _, p := range properties {
		cells := make([]string, len(rows))
		for i := range rows {
			cells[i] = p.text(&rows[i])
		}
		table = append(table, Column{Title: p.title, Unit: p.unit, Quantity: p.quantity, Cells: cells})
	}
	return table.Fold()
}
