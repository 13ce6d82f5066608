package sweep

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lbmib/internal/durable"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/plot"
	"lbmib/run/check"
	"lbmib/run/setup"
)

// FewestGrids is how many resolutions tell an order, MostGrids what anybody would wait for.
const FewestGrids, MostGrids = 3, 6

// gridRatio is that of neighbouring resolutions; Celik et al. want more than 1.3. Where the case does not accept that resolution, as nested grids
// whose coarsest cells must fill the domain, one is taken that is leastRatio to mostRatio times coarser than the finer one.
const (
	gridRatio  = math.Sqrt2
	leastRatio = 1.2
	mostRatio  = 1.7
)

// coarsestGrid is the fewest nodes per L of a resolution that is tried.
const coarsestGrid = 4

// mostTried is how many resolutions are tried for one that would do in place of the case's: each is a case that is read and set up.
const mostTried = 24

// GridAxis are n resolutions, the case's the finest, each √2 times the next coarser but for whole numbers of nodes and for what
// the case accepts: of the whole numbers between leastRatio and mostRatio times coarser than the next finer one that which is nearest. note says which were
// taken in place of others, and why; empty: none. An error says which resolutions were refused, and what would do.
func GridAxis(c *casefile.Case, n int, accepts func(resolution float64) error) (a Axis, note string, err error) {
	a = Axis{Key: ResolutionKey}
	finest := c.Reference.Resolution
	if at := math.Round(finest / math.Pow(gridRatio, float64(n-1))); at < coarsestGrid {
		return a, "", fmt.Errorf("%d resolutions from %v nodes per L down end at %v, must be at least %v: raise reference.resolution to %v, or ask for fewer",
			n, finest, at, coarsestGrid, math.Ceil(coarsestGrid*math.Pow(gridRatio, float64(n-1))))
	}
	known := map[float64]error{}
	asked := func(at float64) error {
		if _, is := known[at]; !is {
			known[at] = accepts(at)
		}
		return known[at]
	}
	grids, wanted, refused := chain(finest, n, asked)
	if len(grids) < n {
		if err := asked(finest); err != nil { // it is not for the grids
			return a, "", fmt.Errorf("%v nodes per L: %w", finest, err)
		}
		if refused == nil {
			return a, "", fmt.Errorf("%d grids from %v nodes per L down leave none below %v with %v or more: raise reference.resolution, or ask for fewer", n, finest, grids[len(grids)-1], coarsestGrid)
		}
		last := grids[len(grids)-1]
		return a, "", fmt.Errorf("%d grids from %v nodes per L down need one that is %v to %v times coarser than that of %v, and the case accepts none (%v: %w): %s",
			n, finest, leastRatio, mostRatio, last, refused.at, refused.err, instead(finest, n, len(grids), asked))
	}
	for _, at := range slices.Backward(grids) {
		a.Values = append(a.Values, strconv.FormatFloat(at, 'g', -1, 64))
	}
	if refused != nil {
		var ratios []string
		for i := 1; i < n; i++ {
			ratios = append(ratios, fmt.Sprintf("%.3g", grids[i-1]/grids[i]))
		}
		note = fmt.Sprintf("the grids have %s nodes per L, each %s times as many as the next, not %s: the case does not accept %v (%v)", list(grids), strings.Join(ratios, " and "), list(wanted), refused.at, refused.err)
	}
	return a, note, nil
}

// refusal is a resolution that the case does not accept, and why.
type refusal struct {
	at  float64
	err error
}

// chain are up to n resolutions from the finest down that are accepted, as many that are wanted, and the first refusal: of the grid that is
// missing, where one is. It is nil where nothing was refused.
func chain(finest float64, n int, accepts func(at float64) error) (grids, wanted []float64, refused *refusal) {
	grids, wanted = []float64{finest}, []float64{finest}
	for k := 1; k < n; k++ {
		exact := finest / math.Pow(gridRatio, float64(k))
		wanted = append(wanted, math.Round(exact))
		if len(grids) < k {
			continue
		}
		var near []float64
		for lo, hi := between(grids[k-1]); lo <= hi; lo++ {
			near = append(near, lo)
		}
		slices.SortStableFunc(near, func(a, b float64) int {
			return cmp.Or(cmp.Compare(math.Abs(a-exact), math.Abs(b-exact)), cmp.Compare(b, a)) // of two as near the finer
		})
		var first *refusal
		for _, at := range near[:min(len(near), mostBeside)] {
			err := accepts(at)
			if err == nil {
				grids = append(grids, at)
				break
			}
			if first == nil {
				first = &refusal{at, err}
			}
		}
		if refused == nil || len(grids) == k {
			refused = cmp.Or(first, refused)
		}
	}
	return grids, wanted, refused
}

// mostBeside is how many resolutions are tried for a grid, the nearest first: each is a case that is set up.
const mostBeside = 12

// between are the ends of the whole numbers that may be the next coarser resolution.
func between(finer float64) (lo, hi float64) {
	return math.Max(coarsestGrid, math.Ceil(finer/mostRatio)), math.Floor(finer / leastRatio)
}

// instead says what does where only fewer than n grids are accepted: a finer finest one, or as many as there are.
func instead(finest float64, n, accepted int, accepts func(at float64) error) string {
	var ways []string
	tried := 0
	counted := func(at float64) error {
		tried++
		return accepts(at)
	}
	for at := math.Floor(finest) + 1; at <= 2*finest && tried < mostTried; at++ {
		if counted(at) != nil {
			continue
		}
		if grids, _, _ := chain(at, n, counted); len(grids) == n {
			ways = append(ways, fmt.Sprintf("take %s = %v, which has %s", ResolutionKey, at, list(grids[1:])))
			break
		}
	}
	if accepted >= FewestGrids {
		ways = append(ways, fmt.Sprintf("ask for --converge %d", accepted))
	}
	if ways == nil {
		return "change domain.size so that it is whole cells of the coarsest grid at other resolutions too, take fewer levels, or one grid"
	}
	return strings.Join(ways, ", or ")
}

// list is "16, 12 and 8".
func list(values []float64) string {
	var words []string
	for _, v := range values {
		words = append(words, fmt.Sprint(v))
	}
	if n := len(words); n > 1 {
		words = append(words[:n-2], words[n-2]+" and "+words[n-1])
	}
	return strings.Join(words, ", ")
}

// Accepts tells whether the case of a file can be run at a resolution, on the nested grids that are proposed for it if so asked; sets are those of
// other keys. The case is read and set up, no step is made.
func Accepts(file string, sets []string, refine bool, kernel setup.Kernel) func(resolution float64) error {
	return func(at float64) error {
		text, err := casefile.Read(file)
		if err != nil {
			return err
		}
		p := &Plan{File: file, Sets: sets, Axes: []Axis{{Key: ResolutionKey}}, refine: refine}
		c := p.combination([]string{strconv.FormatFloat(at, 'g', -1, 64)})
		cas, err := p.onGrids(&c, text)
		if err != nil {
			return err
		}
		return check.Examine(cas, kernel)
	}
}

// Convergence is what three grids tell of a quantity: Celik et al., J. Fluids Eng. 130 (2008) 078001, after Roache. The uncertainty is 1.25 times the
// difference to the extrapolated value, of an order between leastOrder and 2, the method's; where there is no such order, three times the largest
// difference (Eça & Hoekstra, Comput. Fluids 38 (2009) 1580).
type Convergence struct {
	Of          string          `json:"of"`
	Name        string          `json:"name"`
	Values      []finite.Number `json:"values"`       // from the coarsest grid on
	Value       finite.Number   `json:"value"`        // of the finest
	Uncertainty finite.Number   `json:"uncertainty"`  // ± of it, by the grid
	Order       finite.Number   `json:"order"`        // that was found; null: none
	Extrapolate finite.Number   `json:"extrapolated"` // to nodes of no width; null without an order
	Behaviour   string          `json:"behaviour"`    // monotone | oscillating | without order | equal
	SI          *ConvergenceSI  `json:"si,omitempty"` // where the case has the anchors
}

// ConvergenceSI is the same of the finest grid in SI.
type ConvergenceSI struct {
	Value       finite.Number `json:"value"`
	Uncertainty finite.Number `json:"uncertainty"`
	Extrapolate finite.Number `json:"extrapolated"`
	Unit        string        `json:"unit"`
}

// measure sets what is told in SI by the value there, whose unit is as at the end of names.
func (c *Convergence) measure(si finite.Number, suffix string) {
	unit, ok := casefile.SymbolOf(suffix)
	if !ok || c.Value == 0 {
		return
	}
	factor := si / c.Value
	shown := func(v finite.Number) finite.Number { return finite.Number(casefile.Shown(float64(v * factor))) }
	c.SI = &ConvergenceSI{Value: si, Uncertainty: shown(c.Uncertainty), Extrapolate: shown(c.Extrapolate), Unit: unit}
}

// The order below which none is called one, and that of the method.
const leastOrder, methodOrder = 0.5, 2

// isHigh tells whether an order, as it is printed, is above that of the method.
func (c *Convergence) isHigh() bool {
	return math.Round(100*float64(c.Order)) > 100*methodOrder // false of NaN
}

// richardson fills in what the last three values tell, on grids of so many nodes per L.
func (c *Convergence) richardson(nodes []float64) {
	n := len(nodes)
	f3, f2, f1 := float64(c.Values[n-3]), float64(c.Values[n-2]), float64(c.Values[n-1])
	r21, r32 := nodes[n-1]/nodes[n-2], nodes[n-2]/nodes[n-3]
	e32, e21 := f3-f2, f2-f1
	c.Value, c.Order, c.Extrapolate = finite.Number(f1), finite.Number(math.NaN()), finite.Number(math.NaN())
	largest := max(math.Abs(e32), math.Abs(e21), math.Abs(f3-f1))
	const rounding = 1e-9
	switch {
	case !finite.Is(f1 + f2 + f3):
		c.Uncertainty, c.Behaviour = finite.Number(math.NaN()), "unknown"
		return
	case largest <= rounding*math.Abs(f1):
		c.Behaviour = "equal"
		return
	case e32*e21 < 0:
		c.Uncertainty, c.Behaviour = finite.Number(3*largest), "oscillating"
		return
	}
	alike := func(e float64) bool { return math.Abs(e) <= rounding*math.Abs(f1) } // two grids, as numbers of whole nodes may be
	p := math.NaN()
	if !alike(e32) && !alike(e21) {
		p = order(e32/e21, r21, r32)
	}
	if !(p >= leastOrder) {
		c.Uncertainty, c.Behaviour = finite.Number(3*largest), "without order"
		return
	}
	c.Order, c.Behaviour = finite.Number(p), "monotone"
	gain := math.Pow(r21, math.Min(p, methodOrder)) - 1
	c.Extrapolate = finite.Number(f1 - e21/gain)
	c.Uncertainty = finite.Number(1.25 * math.Abs(e21) / gain)
}

// order is the p of (r32^p − 1)/(1 − r21^−p) = ratio, for differences of one sign, by bisection: Celik's p ln r21 = ln ratio + ln((r21^p − 1)/(r32^p − 1)),
// whose iteration fails where the ratios of the grids differ much. 0 where even the lowest order has a larger ratio.
func order(ratio, r21, r32 float64) float64 {
	lo, hi := 0., 100. // no difference of two numbers tells an order above
	for range 60 {
		p := (lo + hi) / 2
		if (math.Pow(r32, p)-1)/(1-math.Pow(r21, -p)) < ratio {
			lo = p
		} else {
			hi = p
		}
	}
	return lo
}

// told are the quantities that are told of with an uncertainty.
var told = namesOf(func(k *kind) bool { return k.told })

// anchored are those of them that are told of only in SI.
var anchored = namesOf(func(k *kind) bool { return k.anchored })

// Converged is converge.json.
type Converged struct {
	Case       string        `json:"case"`
	File       string        `json:"case_file"`
	Resolution []float64     `json:"resolution"` // nodes per L
	Quantities []Convergence `json:"quantities"`
	Notes      []string      `json:"notes"`
	Directory  string        `json:"directory"`
	Runs       []Run         `json:"runs"`
}

// Converge finds what the runs of a document over resolutions tell, and writes converge.json, converge.csv and, of quantities where there are any, converge.png.
// remarks are told with it, before its own notes.
func (p *Plan) Converge(d *Document, remarks ...string) (*Converged, error) {
	c := &Converged{Case: d.Case, File: d.File, Directory: d.Directory, Runs: d.Runs, Notes: []string{}, Quantities: []Convergence{}}
	runs := slices.Clone(d.Runs)
	at := func(r *Run) float64 { v, _ := strconv.ParseFloat(r.Values[ResolutionKey], 64); return v }
	slices.SortStableFunc(runs, func(a, b Run) int { return cmp.Compare(at(&a), at(&b)) })
	for i := range runs {
		c.Resolution = append(c.Resolution, at(&runs[i]))
		if isLost(runs[i].Status) {
			c.Notes = append(c.Notes, fmt.Sprintf("%v nodes per L: %s: no uncertainty is given without it", at(&runs[i]), runs[i].Status))
		}
	}
	lost := len(c.Notes) > 0
	c.Notes = append(slices.Clone(remarks), c.Notes...)
	if len(runs) < FewestGrids || lost {
		return c, p.writeConverged(c)
	}
	finest := &runs[len(runs)-1]
	for _, q := range finest.quantities {
		if q.minor || !slices.Contains(told, q.Name) || !finite.Is(float64(q.Value)) || q.unit == "" && slices.Contains(anchored, q.Name) {
			continue
		}
		of := Convergence{Of: q.Of, Name: q.Name}
		size := 0.
		for i := range runs {
			v := runs[i].find(q.Of, q.Name)
			of.Values = append(of.Values, finite.Number(v))
			size = math.Max(size, math.Abs(v))
		}
		if size < 1e-9 { // rounding, as a lift of 1e-12
			continue
		}
		if isAmplitude(q.Name) && isSteady(runs, q.Of, q.Name) {
			continue
		}
		of.richardson(c.Resolution)
		of.measure(q.si, q.unit)
		c.Quantities = append(c.Quantities, of)
	}
	c.notes(runs)
	return c, p.writeConverged(c)
}

const amplitudeSuffix = "_amplitude"

func isAmplitude(name string) bool { return strings.HasSuffix(name, amplitudeSuffix) }

// isSteady tells of an amplitude whether the flow is steady on all grids: there is no shedding, and the amplitude is a hundredth or less of the mean, of forces of
// the larger mean of drag and lift. It is what is left of the start, which the window tells and not the grid.
func isSteady(runs []Run, of, amplitude string) bool {
	const most = 0.01
	means := []string{strings.TrimSuffix(amplitude, amplitudeSuffix) + "_mean"}
	if amplitude == "cd_amplitude" || amplitude == "cl_amplitude" {
		means = []string{"cd_mean", "cl_mean"}
	}
	for i := range runs {
		r := &runs[i]
		mean := 0.
		for _, name := range means {
			if v := r.find(of, name); !math.IsNaN(v) {
				mean = math.Max(mean, math.Abs(v))
			}
		}
		if r.find(of, "strouhal") > 0 || !(math.Abs(r.find(of, amplitude)) <= most*mean) {
			return false
		}
	}
	return true
}

// notes says in words what the numbers do not.
func (c *Converged) notes(runs []Run) {
	list := func(behaviour string) (names []string) {
		for _, q := range c.Quantities {
			if q.Behaviour == behaviour {
				names = append(names, q.Of+" "+q.Name)
			}
		}
		return names
	}
	if names := list("oscillating"); len(names) > 0 {
		c.Notes = append(c.Notes, strings.Join(names, ", ")+": does not go one way from grid to grid, so that no order is known and nothing is extrapolated; ± is three times the largest difference: take finer grids")
	}
	if names := list("without order"); len(names) > 0 {
		c.Notes = append(c.Notes, strings.Join(names, ", ")+fmt.Sprintf(": changes as much from the second grid to the finest as before (an order below %g), so that these grids do not converge yet; ± is three times the largest difference: take finer grids", leastOrder))
	}
	var high []string
	for i := range c.Quantities {
		if q := &c.Quantities[i]; q.isHigh() {
			high = append(high, q.Of+" "+q.Name)
		}
	}
	if high != nil {
		c.Notes = append(c.Notes, fmt.Sprintf("* %s: an order above %d, which the method does not have: ± and extrapolation are by order %d; the coarsest grid does not converge yet, or what changes is no error of the grid: take finer grids",
			strings.Join(high, ", "), methodOrder, methodOrder))
	}
	for i := range runs {
		var own []string
		for _, of := range runs[i].entries {
			for name, e := range of {
				if value(e, "converged") == false {
					own = append(own, fmt.Sprintf("%v nodes per L: the statistics of %s have not converged, and their scatter is taken for one of grids: run longer", c.Resolution[i], name))
				}
			}
		}
		slices.Sort(own)
		c.Notes = append(c.Notes, own...)
	}
	c.Notes = append(c.Notes, "the uncertainty is that of the grid alone: the Mach number is the same on all, and so is its error; halve reference.velocity to see it")
}

// writeConverged writes the files of a convergence study.
func (p *Plan) writeConverged(c *Converged) error {
	err := durable.WriteJSON(filepath.Join(p.Dir, "converge.json"), c)
	err = errors.Join(err, durable.Write(filepath.Join(p.Dir, "converge.csv"), c.writeCSV))
	if len(c.Quantities) > 0 {
		err = errors.Join(err, c.draw(filepath.Join(p.Dir, "converge.png")))
	}
	return err
}

// writeCSV writes a row per quantity. A cell without a number is empty.
func (c *Converged) writeCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	head := []string{"of", "quantity"}
	for _, n := range c.Resolution {
		head = append(head, fmt.Sprintf("n%v", n))
	}
	w.Write(append(head, "uncertainty", "order", "extrapolated", "behaviour", "value_si", "uncertainty_si", "extrapolated_si", "unit_si"))
	cell := func(v finite.Number) string {
		if !finite.Is(float64(v)) {
			return ""
		}
		return strconv.FormatFloat(float64(v), 'g', 10, 64)
	}
	for _, q := range c.Quantities {
		row := []string{q.Of, q.Name}
		for _, v := range q.Values {
			row = append(row, cell(v))
		}
		row = append(row, cell(q.Uncertainty), cell(q.Order), cell(q.Extrapolate), q.Behaviour)
		if si := q.SI; si != nil {
			row = append(row, cell(si.Value), cell(si.Uncertainty), cell(si.Extrapolate), si.Unit)
		} else {
			row = append(row, "", "", "", "")
		}
		w.Write(row)
	}
	w.Flush()
	return w.Error()
}

// WriteTable writes it for people, within a width: of coarser grids columns are left out; 0: it is as wide as it is.
func (c *Converged) WriteTable(w io.Writer, width int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %d grids\n", c.Case, len(c.Resolution))
	rows, left := fitted(c.rows(), width, func(rows [][]string, column int) int {
		switch title := rows[0][column]; {
		case title == "extrapolated":
			return 1
		case strings.HasPrefix(title, "N = "):
			return 100 - column // the finest is told with its uncertainty
		}
		return 0
	})
	widths := columnWidths(rows)
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			line += " " + cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+1)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	notes := c.Notes
	if len(left) > 0 {
		notes = append([]string{"left out, for the table is wider than the terminal: " + strings.Join(left, ", ") + ": converge.csv has all"}, notes...)
	}
	for _, note := range notes {
		b.WriteString("  " + strings.Join(check.Wrap(note, check.PageWidth-4), "\n    ") + "\n")
	}
	files := "converge.json, converge.csv"
	if len(c.Quantities) > 0 {
		files += ", converge.png"
	}
	fmt.Fprintf(&b, "  %s and the runs in %s\n", files, c.Directory)
	_, err := io.WriteString(w, b.String())
	return err
}

// rows is the table with its head; that in SI is a column where there is any.
func (c *Converged) rows() [][]string {
	head := []string{"", "quantity"}
	for _, n := range c.Resolution {
		head = append(head, fmt.Sprintf("N = %v", n))
	}
	rows := [][]string{append(head, "value ± uncertainty", "order", "extrapolated", "", "in SI")}
	text := func(v finite.Number, format string) string {
		if !finite.Is(float64(v)) {
			return "–"
		}
		return strings.ReplaceAll(fmt.Sprintf(format, float64(v)), "-", "−")
	}
	known := false
	for _, q := range c.Quantities {
		row := []string{q.Of, q.Name}
		for _, v := range q.Values {
			row = append(row, text(v, "%.5g"))
		}
		si, mark := "", ""
		if q.isHigh() {
			mark = "*"
		}
		if q.SI != nil {
			known, si = true, text(q.SI.Value, "%.5g")+" ± "+text(q.SI.Uncertainty, "%.2g")+" "+q.SI.Unit
		}
		rows = append(rows, append(row, text(q.Value, "%.5g")+" ± "+text(q.Uncertainty, "%.2g"), text(q.Order, "%.2f")+mark, text(q.Extrapolate, "%.5g"), q.Behaviour, si))
	}
	if known {
		return rows
	}
	return dropped(rows, func(column int) bool { return column == len(rows[0])-1 })
}

// draw draws the first quantities over the width of nodes: values, ± of the finest, and what they go to at no width.
func (c *Converged) draw(path string) error {
	var panels []plot.Panel
	for _, q := range c.Quantities[:min(len(c.Quantities), 6)] {
		finest := c.Resolution[len(c.Resolution)-1]
		panel := plot.Panel{XLabel: "node width over the finest", YLabel: q.Of + " " + q.Name, Marks: true}
		values := plot.Line{Name: "grids"}
		for i, v := range q.Values {
			values.X, values.Y = append(values.X, finest/c.Resolution[i]), append(values.Y, float64(v))
		}
		panel.Lines = append(panel.Lines, values)
		if u := float64(q.Uncertainty); finite.Is(u) {
			v := float64(q.Value)
			panel.Lines = append(panel.Lines, plot.Line{Name: "± uncertainty", X: []float64{1, 1}, Y: []float64{v - u, v + u}})
		}
		if e := float64(q.Extrapolate); finite.Is(e) {
			panel.Lines = append(panel.Lines, plot.Line{Name: "extrapolated", X: []float64{0, 1}, Y: []float64{e, float64(q.Value)}})
		}
		panels = append(panels, panel)
	}
	columns := 1
	if len(panels) > 2 {
		columns = 2
	}
	return plot.Panels(path, c.Case+": "+fmt.Sprint(len(c.Resolution))+" grids", columns, panels)
}
