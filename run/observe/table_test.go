package observe

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"lbmib/io/casefile"
	"lbmib/io/table"
	"lbmib/run/rundir"
	"lbmib/run/setup/setuptest"
)

// A table goes on with the columns that it was begun with: an older version knew none in SI, and fewer others.
func TestATableGoesOnWithTheColumnsThatItHas(t *testing.T) {
	columns := []string{"t", "step", "probe", "rho", "u", "v", "p"}
	for _, c := range []struct{ name, header, row string }{
		{"this version's", "t,step,probe,rho,u,v,p,t_s,u_m_per_s,v_m_per_s,p_Pa", "0.5,7,a,1,2,3,4,0.01,1,1.5,900"},
		{"without SI", "t,step,probe,rho,u,v,p", "0.5,7,a,1,2,3,4"},
		{"without the pressure", "t,step,probe,rho,u,v", "0.5,7,a,1,2,3"},
	} {
		dir := rundir.Dir{Path: t.TempDir()}
		if err := os.WriteFile(dir.File("x.csv"), []byte(c.header+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		saved := &Saved{}
		saved.Offsets.Set("x.csv", int64(len(c.header)+1))
		p := setuptest.Problem(t, setuptest.StreamCase, "reference.length=1 cm", "reference.speed=0.5 m/s", "reference.density=900")
		state := NewState[float64](p)
		state.Dir = dir
		o := &Outputs[float64]{State: &state, resumed: saved}
		table, err := o.Table("x.csv", columns, 0, 1)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := table.Append(0.5, int64(7), "a", 1., 2., 3., 4.); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		table.Close()
		text, err := os.ReadFile(dir.File("x.csv"))
		if want := c.header + "\n" + c.row + "\n"; err != nil || string(text) != want {
			t.Errorf("%s: %v: the table is %q, want %q", c.name, err, text, want)
		}
	}
	if names, _ := columnsInSI(forcesFile, []string{"t", "fx", "tx", "tz", "curvature"}, setuptest.Problem(t, setuptest.StreamCase).Units); len(names) > 0 {
		t.Errorf("without anchors there are %s", strings.Join(names, ", "))
	}
}

// forces.csv of a version that told fewer columns in SI goes on without the others.
func TestForcesGoOnWithTheirColumnsInSI(t *testing.T) {
	p := setuptest.Problem(t, setuptest.StreamCase, "reference.length=1 cm", "reference.speed=0.5 m/s", "reference.density=900")
	header := strings.Join(forceColumns(2), ",") + ",t_s,fx_N_per_m,fy_N_per_m,tz_N_m_per_m\n"
	state := NewState[float64](p)
	state.Dir = rundir.Dir{Path: t.TempDir()}
	if err := os.WriteFile(state.Dir.File(forcesFile), []byte(header), 0o666); err != nil {
		t.Fatal(err)
	}
	o := &Outputs[float64]{State: &state, resumed: &Saved{}}
	o.resumed.Offsets.Set(forcesFile, int64(len(header)))
	to, err := o.Table(forcesFile, forceColumns(2), 0, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	row := []any{0.5, int64(7), "rod"}
	for range forceColumns(2)[3:] {
		row = append(row, 2.)
	}
	if err := to.Append(row...); err != nil {
		t.Fatal(err)
	}
	to.Close()
	text, err := os.ReadFile(state.Dir.File(forcesFile))
	if want := header + "0.5,7,rod" + strings.Repeat(",2", 14) + ",0.01,2.25,2.25,0.0225\n"; err != nil || string(text) != want {
		t.Errorf("%v: the table is %q, want %q", err, text, want)
	}
}

// Every column that has a unit comes out in SI, too: the value in reference units times the unit. Here L is 1 cm, U is 0.5 m/s and ρ₀ is 900 kg/m³.
func TestTablesAreInSI(t *testing.T) {
	const (
		length, speed, time = 0.01, 0.5, 0.02 // L in m, U in m/s, L/U in s
		work, perDepth      = 2.25e-4, 0.0225 // ρU²L³ in J, ρU²L² in J/m
		force, tension      = 0.0225, 2.25    // ρU²L² in N, ρU²L in N/m
		curvature           = 100             // 1/L in 1/m
		coefficient         = 0.01125         // ½ρU²L² in N
		perSpan             = 1.125           // ½ρU²L in N/m
		pressure            = 225             // ρU² in Pa
		flow, flowPerSpan   = 5e-5, 5e-3      // UL² in m³/s, UL in m²/s
		spin, acceleration  = 50, 25          // U/L in rad/s, U²/L in m/s²
	)
	energies := " energy energy_membrane energy_bending energy_area energy_volume"
	for _, of := range []struct {
		file, text string
		columns    []string
		want       []scaled
	}{
		{forcesFile, setuptest.StreamCase, forceColumns(2), []scaled{
			{"t", "s", time}, {"fx fy cv_fx cv_fy outer_fx outer_fy", "N_per_m", perSpan}, {"tz", "N_m_per_m", coefficient},
			{"slip_max slip_granted", "m_per_s", speed}, {"recirculation", "m", length}}},
		{forcesFile, setuptest.CapsuleCase, forceColumns(3), []scaled{
			{"t", "s", time}, {"fx fy fz cv_fx cv_fy cv_fz outer_fx outer_fy outer_fz", "N", coefficient}, {"tx ty tz", "N_m", work / 2},
			{"slip_max slip_granted", "m_per_s", speed}, {"recirculation", "m", length}}},
		{cellsFile, setuptest.CapsuleCase, cellColumns(3), []scaled{
			{"t", "s", time}, {"x y z gap extent_x extent_y extent_z", "m", length}, {"vx vy vz", "m_per_s", speed}, {energies, "J", work}}},
		{cellsFile, setuptest.RingsCase, cellColumns(2), []scaled{
			{"t", "s", time}, {"x y gap extent_x extent_y", "m", length}, {"vx vy", "m_per_s", speed}, {energies, "J_per_m", perDepth}}},
		{sheetsFile, setuptest.CapsuleCase, sheetColumns, []scaled{
			{"t", "s", time}, {"tip_vx tip_vy tip_vz", "m_per_s", speed}, {"hold_fx hold_fy hold_fz", "N", force},
			{"curvature_max", "per_m", curvature}, {"tension_max", "N_per_m", tension},
			{"energy energy_stretching energy_bending energy_kinetic", "J", work},
			{"tip_x tip_y tip_z left_bottom_x left_bottom_y left_bottom_z right_bottom_x right_bottom_y right_bottom_z " +
				"left_top_x left_top_y left_top_z right_top_x right_top_y right_top_z", "m", length}}},
		{bodiesFile, setuptest.RingsCase, bodyColumns(2), []scaled{{"t", "s", time}, {"x y", "m", length}, {"vx vy", "m_per_s", speed}, {"spin", "rad_per_s", spin}}},
		{bodiesFile, setuptest.CapsuleCase, bodyColumns(3), []scaled{{"t", "s", time}, {"x y z", "m", length}, {"vx vy vz", "m_per_s", speed}, {"wx wy wz", "rad_per_s", spin}}},
		{probesFile, setuptest.CapsuleCase, probeColumns(3), []scaled{{"t", "s", time}, {"u v w", "m_per_s", speed}, {"p", "Pa", pressure}}},
		{LineFile(casefile.Line{Name: "across"}), setuptest.RingsCase, lineColumns(2), []scaled{{"t", "s", time}, {"s x y", "m", length}, {"u v", "m_per_s", speed}, {"p", "Pa", pressure}}},
		{LineFile(casefile.Line{Name: "across"}), setuptest.CapsuleCase, lineColumns(3), []scaled{{"t", "s", time}, {"s x y z", "m", length}, {"u v w", "m_per_s", speed}, {"p", "Pa", pressure}}},
		{sectionsFile, setuptest.RingsCase, sectionColumns(2), []scaled{{"t", "s", time}, {"flow_rate", "m2_per_s", flowPerSpan}, {"u v", "m_per_s", speed}, {"p", "Pa", pressure}, {"area", "m", length}}},
		{sectionsFile, setuptest.CapsuleCase, sectionColumns(3), []scaled{{"t", "s", time}, {"flow_rate", "m3_per_s", flow}, {"u v w", "m_per_s", speed}, {"p", "Pa", pressure}, {"area", "m2", 1e-4}}},
		{portsFile, setuptest.CapsuleCase, slices.Concat(portColumns, fedPortColumns), []scaled{{"t", "s", time}, {"flow_rate wall_flow_rate", "m3_per_s", flow}, {"p", "Pa", pressure}}},
		{flowFile, setuptest.RingsCase, flowColumns, []scaled{{"t", "s", time}, {"flow_rate", "m2_per_s", flowPerSpan}, {"speed speed_held", "m_per_s", speed}, {"body_force", "m_per_s2", acceleration}}},
		{filamentsFile, setuptest.RingsCase, filamentColumns(2), []scaled{
			{"t", "s", time}, {"tip_x tip_y", "m", length}, {"tip_vx tip_vy", "m_per_s", speed}, {"curvature_max", "per_m", curvature},
			{"tension_max start_fx start_fy end_fx end_fy", "N_per_m", 2 * perSpan}, {"start_moment end_moment", "N_m_per_m", perDepth},
			{"energy energy_stretching energy_bending energy_kinetic", "J_per_m", perDepth}}},
		{filamentsFile, setuptest.CapsuleCase, filamentColumns(3), []scaled{
			{"t", "s", time}, {"tip_x tip_y tip_z", "m", length}, {"tip_vx tip_vy tip_vz", "m_per_s", speed}, {"curvature_max", "per_m", curvature},
			{"tension_max start_fx start_fy start_fz end_fx end_fy end_fz", "N", force}, {"start_moment end_moment", "N_m", work},
			{"energy energy_stretching energy_bending energy_kinetic", "J", work}}},
		{suspensionFile, setuptest.CapsuleCase, suspensionColumns, []scaled{
			{"t", "s", time}, {"vx vy vz v_rms speed_max slip_max", "m_per_s", speed}, {"spin_x spin_y spin_z", "rad_per_s", spin}, {"contact_energy kinetic_energy", "J", work}}},
		{suspensionFile, setuptest.CapsuleCase, slices.Concat(suspendedColumns, fedColumns), []scaled{
			{"t", "s", time}, {"vx vy vz v_rms", "m_per_s", speed}, {"flow_rate", "m3_per_s", flow}, {"cell_free_layer gap_min", "m", length}}},
		{profileFile, setuptest.CapsuleCase, profileColumns("r"), []scaled{{"t", "s", time}, {"r", "m", length}, {"vx vy vz ux uy uz", "m_per_s", speed}}},
	} {
		rows := aRow(t, of.file, of.text, of.columns)
		known := 0
		for _, w := range of.want {
			for _, column := range strings.Fields(w.columns) {
				known++
				value, err := rows.Float(column, nil)
				if err != nil {
					t.Fatal(err)
				}
				si, err := rows.Float(column+"_"+w.unit, nil)
				if err != nil {
					t.Errorf("%s: %v", of.file, err)
				} else if want := value[0] * w.factor; math.Abs(si[0]/want-1) > 1e-12 {
					t.Errorf("%s: %s_%s is %g where %s is %g, want %g", of.file, column, w.unit, si[0], column, value[0], want)
				}
			}
		}
		if si := rows.Columns[len(of.columns):]; len(si) != known || !slices.Equal(rows.Columns[:len(of.columns)], of.columns) {
			t.Errorf("%s: the %d columns in SI are %v, want %d", of.file, len(si), si, known)
		}
	}
}

// scaled are columns, the unit at the end of their names in SI, and what the reference unit is in it.
type scaled struct {
	columns, unit string
	factor        float64
}

// aRow is the table that a case with anchors begins, with one row: 1, 2, 3, … in the order of the columns.
func aRow(t *testing.T, file, text string, columns []string) *table.Table {
	t.Helper()
	state := NewState[float64](setuptest.Problem(t, text, "reference.length=1 cm", "reference.speed=0.5 m/s", "reference.density=900"))
	state.Dir = rundir.Dir{Path: t.TempDir()}
	o := &Outputs[float64]{State: &state}
	to, err := o.Table(file, columns, 0)
	if err != nil {
		t.Fatal(err)
	}
	var row []any
	for i := range columns {
		row = append(row, float64(i+1))
	}
	if err := to.Append(row...); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	rows, err := table.Read(state.Dir.File(file))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
