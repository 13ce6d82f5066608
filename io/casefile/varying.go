package casefile

import (
	"fmt"
	"math"
	"regexp"

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

// resolved is the number, or the text of the expression.
func (v Varying) resolved() any {
	if v.Expr == nil {
		return v.Value
	}
	return v.Expr.String()
}

// samples is how many times an expression is tried over the run before it starts.
const samples = 400

// varying reads a number or an expression of t.
func (t *table) varying(name string, s spec, def float64) Varying {
	v, ok := t.get(name)
	if !ok {
		return Varying{Value: def}
	}
	return t.r.varying(t.key(name), v, s)
}

// varyingVector reads a vector of numbers and expressions.
func (t *table) varyingVector(name string, s spec) (x [3]Varying) {
	list, _ := t.entriesOf(name)
	for i, e := range list {
		x[i] = t.r.varying(fmt.Sprintf("%s.%d", t.key(name), i), e, s)
	}
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
	e, err := expression.Compile(text, "t")
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

// mostTried is the number of half time steps of a run up to which an expression is
// tried at all of them, which takes some hundredths of a second.
const mostTried = 200_000

// tryOut refuses an expression that fails at some time of the run: at any that a
// run asks for, which is every half step, unless there are very many.
func (r *reader) tryOut(key string, e *Expression) {
	times := r.times()
	if n := 2 * r.c.Run.Steps; len(times) > 1 && n > samples && n <= mostTried {
		dt := r.c.Reference.units(0).Dt
		times = make([]float64, n+2)
		for i := range times {
			times[i] = float64(i) / 2 * dt
		}
	}
	for _, t := range times {
		if _, err := e.Eval(t); err != nil {
			r.fail(key, "%v", err)
			return
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
