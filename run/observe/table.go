package observe

import (
	"math"
	"slices"
	"strings"

	"lbmib/io/casefile"
	"lbmib/io/table"
)

// Table is a time series: what an observer embeds that writes rows at an interval, which then
// only has to observe.
type Table struct {
	*table.Writer
	Name    string          // of the file, below the run directory
	Every   int64           // steps between rows
	columns int             // those of observers; SI columns come behind them
	names   []string        // of these
	row     []any           // kept from row to row
	si      []inSI          // columns that are there in SI, too; none without anchors
	told    func(row []any) // of each row, without SI columns; nil: nobody asks
}

// measured is what a column holds: so many of a quantity's reference unit.
type measured struct {
	quantity casefile.Quantity
	times    float64
}

// inSI is a column and what makes it SI.
type inSI struct {
	of     int
	factor float64
	symbol string
}

// common are the columns that mean the same in all tables.
var common = map[string]measured{"t": {casefile.Time, 1}}

func init() {
	for _, of := range []struct {
		quantity casefile.Quantity
		names    string
	}{
		{casefile.Length, "s x y z r cell_free_layer extent_x extent_y extent_z tip_x tip_y tip_z gap gap_min"},
		{casefile.Velocity, "u v w speed speed_held vx vy vz tip_vx tip_vy tip_vz"},
		{casefile.Spin, "spin wx wy wz"},
		{casefile.Pressure, "p"},
		{casefile.Acceleration, "body_force"},
		{casefile.FlowRate, "flow_rate wall_flow_rate"},
		{casefile.Area, "area"},
		{casefile.Force, "start_fx start_fy start_fz end_fx end_fy end_fz hold_fx hold_fy hold_fz"},
		{casefile.Torque, "start_moment end_moment"},
	} {
		for _, name := range strings.Fields(of.names) {
			common[name] = measured{of.quantity, 1}
		}
	}
	for _, axis := range "xyz" { // coefficients, over ½ρU²…
		common["f"+string(axis)] = measured{casefile.Force, 0.5}
		common["t"+string(axis)] = measured{casefile.Torque, 0.5}
	}
}

// ofTable are those of one table, which stand behind what is common: some versions did not tell them. * is any axis.
var ofTable = map[string]map[string]measured{
	forcesFile: {"slip_max": aSpeed, "slip_granted": aSpeed, "recirculation": aLength,
		"cv_f*": {casefile.Force, 0.5}, "outer_f*": {casefile.Force, 0.5}}, // coefficients, over ½ρU²…
	cellsFile: {"energy": anEnergy, "energy_membrane": anEnergy, "energy_bending": anEnergy, "energy_area": anEnergy, "energy_volume": anEnergy},
	filamentsFile: {"energy": anEnergy, "energy_stretching": anEnergy, "energy_bending": anEnergy, "energy_kinetic": anEnergy,
		"curvature_max": {casefile.Curvature, 1}, "tension_max": {casefile.Force, 1}},
	sheetsFile: {"energy": anEnergy, "energy_stretching": anEnergy, "energy_bending": anEnergy, "energy_kinetic": anEnergy,
		"curvature_max": {casefile.Curvature, 1}, "tension_max": {casefile.Tension, 1},
		"left_bottom_*": aLength, "right_bottom_*": aLength, "left_top_*": aLength, "right_top_*": aLength},
	suspensionFile: {"v_rms": aSpeed, "speed_max": aSpeed, "slip_max": aSpeed, "spin_*": {casefile.Spin, 1}, "contact_energy": anEnergy, "kinetic_energy": anEnergy},
	profileFile:    {"u*": aSpeed},
	pressureTable:  {"length": aLength},
}

var anEnergy, aLength, aSpeed = measured{casefile.Work, 1}, measured{casefile.Length, 1}, measured{casefile.Velocity, 1}

// measuredIn is what a column of a table holds that is told of that table alone.
func measuredIn(file, column string) (of measured, ok bool) {
	if of, ok = ofTable[file][column]; !ok && column != "" && strings.Contains("xyz", column[len(column)-1:]) {
		of, ok = ofTable[file][column[:len(column)-1]+"*"]
	}
	return of, ok
}

// columnsInSI are the columns of a table that come out in SI, too, and the names of these: with the
// unit at their end. Without the anchors that a quantity needs there are none of it.
func columnsInSI(file string, columns []string, u casefile.Units) (names []string, all []inSI) {
	add := func(known func(column string) (measured, bool)) {
		for i, name := range columns {
			of, ok := known(name)
			if !ok || u.Dim == 2 && (name == "tx" || name == "ty") { // which are 0
				continue
			}
			if factor, ok := u.ToSI(of.quantity, of.times); ok {
				names, all = append(names, name+"_"+u.Suffix(of.quantity)), append(all, inSI{i, factor, u.Symbol(of.quantity)})
			}
		}
	}
	add(func(column string) (measured, bool) { of, ok := common[column]; return of, ok })
	add(func(column string) (measured, bool) { return measuredIn(file, column) })
	return names, all
}

// SI is the factor that makes a column SI, and its unit.
type SI struct {
	Factor float64
	Unit   string
}

// InSI is what makes columns of tables SI, by table and column; those without are left out.
func (o *Outputs[T]) InSI() map[string]map[string]SI {
	all := map[string]map[string]SI{}
	for _, t := range o.tables {
		for _, c := range t.si {
			if all[t.Name] == nil {
				all[t.Name] = map[string]SI{}
			}
			all[t.Name][t.names[c.of]] = SI{c.factor, c.symbol}
		}
	}
	return all
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
	t := &Table{Name: name, Every: o.Case.StepsOf(every), columns: len(columns), names: columns}
	names, si := columnsInSI(name, columns, o.Units)
	t.si = si
	all := slices.Concat(columns, names)
	var err error
	if o.resumed == nil {
		t.Writer, err = table.Create(path, all)
	} else {
		if !table.Begins(path, all) {
			all = t.asBegun(path, all, columns, before, o.Units)
		}
		t.Writer, err = table.Resume(path, all, o.resumed.Offsets.Of(name))
	}
	if err != nil {
		return nil, err
	}
	o.tables = append(o.tables, t)
	o.tellRows(t, columns[:t.columns], path)
	return t, nil
}

// asBegun are the columns of a table that a version which told less has begun; those of this one where it is none of them.
func (t *Table) asBegun(path string, now, columns []string, before []int, u casefile.Units) []string {
	for _, fewer := range append([]int{0}, before...) {
		old := columns[:len(columns)-fewer]
		names, si := columnsInSI(t.Name, old, u)
		for k := len(names); k >= 0; k-- {
			if all := slices.Concat(old, names[:k]); table.Begins(path, all) {
				t.columns, t.si = len(old), si[:k]
				return all
			}
		}
	}
	return now
}

// Append adds a row: of the columns of observers, as many as the table has, and behind them in SI those that are measured.
func (t *Table) Append(values ...any) error {
	values = values[:t.columns]
	if t.told != nil {
		t.told(values)
	}
	for _, c := range t.si {
		v, ok := values[c.of].(float64)
		if !ok {
			v = math.NaN()
		}
		values = append(values, casefile.Shown(v*c.factor))
	}
	return t.Writer.Append(values...)
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
