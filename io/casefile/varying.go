package casefile

import (
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"

	"lbmib/io/expression"
)

// Expression is a formula of t, in L/U.
type Expression = expression.Expression

// Varying is a number that may vary with time: Value, or Expr where it is given.
type Varying struct {
	Value float64
	Expr  *Expression
}

// At returns the value at the time t, in L/U: NaN where the expression has no
// finite one, which Parse excludes for samples of the run.
func (v Varying) At(t float64) float64 {
	if v.Expr == nil {
		return v.Value
	}
	x, err := v.Expr.Eval(t)
	if err != nil {
		return math.NaN()
	}
	return x
}

// Constant reports whether the value is the same at all times.
func (v Varying) Constant() bool { return v.Expr == nil }

// samples is how many times an expression is tried over the run before it starts.
const samples = 400

// varying reads a number or an expression of t.
func (t *table) varying(name string, s spec, def float64) Varying {
	if t.r.asked != nil { // what goes into an any is allocated
		t.ask(name, ask{form: "varying", spec: s, def: def})
	}
	x := Varying{Value: def}
	if v, ok := t.get(name); ok {
		x = t.r.varying(t.key(name), v, s)
	}
	t.note(name, x)
	return x
}

// varyingVector reads a vector of numbers and expressions.
func (t *table) varyingVector(name string, s spec) (x [3]Varying) {
	if t.r.asked != nil { // what goes into an any is allocated
		t.ask(name, ask{form: "varying vector", spec: s, def: [3]float64{}})
	}
	list, _ := t.entriesOf(name)
	for i, e := range list {
		x[i] = t.r.varying(fmt.Sprintf("%s.%d", t.key(name), i), e, s)
	}
	t.note(name, x)
	return x
}

var startsWithUnit = regexp.MustCompile(`^\s*[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?\s*[A-Za-zµμ]`)

// varying turns a TOML value into a number or an expression. A string is a
// quantity with a unit where it can be read as one, and an expression otherwise.
func (r *reader) varying(key string, v any, s spec) Varying {
	text, isText := v.(string)
	if !isText {
		x, _ := r.number(key, v, s)
		return Varying{Value: x}
	}
	if s.quantity != Number {
		if _, _, err := parseUnitString(text); err == nil || startsWithUnit.MatchString(text) {
			x, _ := r.number(key, v, s)
			return Varying{Value: x}
		}
	}
	e, err := r.compile(text, "t")
	if err == nil && e.Constant() {
		var x float64
		if x, err = e.Eval(0); err == nil {
			x, _ = r.number(key, x, s)
			return Varying{Value: x}
		}
	}
	if err != nil {
		r.fail(key, "%v", err)
		return Varying{}
	}
	r.atEnd = append(r.atEnd, func() { r.tryOut(key, e) })
	return Varying{Expr: e}
}

// mostTried bounds the half time steps of a run at which an expression is tried,
// which takes some hundredths of a second, and allTried those of all expressions.
const mostTried, allTried = 200_000, 4_000_000

// tryOut refuses an expression that fails at some time of the run.
func (r *reader) tryOut(key string, e *Expression) {
	for t := range r.halfSteps() {
		if _, err := e.Eval(t); err != nil {
			r.fail(key, "%v", err)
			return
		}
	}
}

// halfSteps are the times that a run asks for what varies at: every half step or,
// of very many, every so-many-th; without a duration its beginning alone.
func (r *reader) halfSteps() iter.Seq[float64] {
	times := r.times()
	n := 2 * r.c.Run.Steps
	if len(times) < 2 || n <= samples {
		return slices.Values(times)
	}
	tried := max(samples, min(mostTried, allTried/max(1, int64(len(r.atEnd)))))
	stride := 1 + n/(tried+1)
	half := r.c.Reference.units(0).Dt / 2
	return func(yield func(float64) bool) {
		for i := int64(0); i <= n+1; i += stride {
			if !yield(float64(i) * half) {
				return
			}
		}
	}
}

// times are points of the run, in L/U, at which what varies is tried out: its
// beginning alone where its duration is not known.
func (r *reader) times() []float64 {
	if !r.clean("run.time", "run.steps") || !(r.c.Run.Time > 0) {
		return []float64{0}
	}
	times := make([]float64, samples+1)
	for i := range times {
		times[i] = r.c.Run.Time * float64(i) / samples
	}
	return times
}
