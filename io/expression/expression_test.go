package expression

import (
	"math"
	"strings"
	"testing"
)

func mustCompile(t *testing.T, text string, variables ...string) *Expression {
	t.Helper()
	e, err := Compile(text, variables...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestFormulasHaveTheirMathematicalValue(t *testing.T) {
	for _, c := range []struct {
		text string
		x    float64 // t
		want float64
	}{
		// arithmetic: precedence, division of whole numbers, powers to the right
		{"1 + 2*3", 0, 7}, {"1/2", 0, 0.5}, {"-2^2", 0, -4}, {"2^3^2", 0, 512}, {"2**-1", 0, 0.5},
		{"7 % 4", 0, 3}, {"-7.5 % 2", 0, -1.5}, {"(1 + 2)*3", 0, 9}, {"- -t", 3, 3}, {"+t", 3, 3}, {"1e-3 + .5", 0, 0.501},
		// constants and variables
		{"pi", 0, math.Pi}, {"e", 0, math.E}, {"t*t", -3, 9},
		// functions
		{"sin(pi/2)", 0, 1}, {"cos(pi)", 0, -1}, {"tan(0.5)", 0, math.Tan(0.5)},
		{"asin(1)", 0, math.Pi / 2}, {"acos(0)", 0, math.Pi / 2}, {"atan(1)", 0, math.Pi / 4}, {"atan2(1, -1)", 0, 3 * math.Pi / 4},
		{"sinh(1)", 0, math.Sinh(1)}, {"cosh(1)", 0, math.Cosh(1)}, {"tanh(t)", 0.5, math.Tanh(0.5)},
		{"exp(1)", 0, math.E}, {"log(e)", 0, 1}, {"log10(1000)", 0, math.Log10(1000)}, {"sqrt(2)", 0, math.Sqrt2}, {"abs(-3)", 0, 3},
		{"min(3, 1, 2)", 0, 1}, {"max(3, 1, 4, 2)", 0, 4}, {"pow(2, 10)", 0, 1024}, {"floor(-1.5)", 0, -2}, {"ceil(-1.5)", 0, -1},
		{"sign(t)", -2, -1}, {"sign(t)", 0, 0}, {"sign(t)", 2, 1},
		{"step(t)", -1e-300, 0}, {"step(t)", 0, 1}, {"step(t)", 1, 1},
		{"smooth(t)", -1, 0}, {"smooth(t)", 0.5, 0.5}, {"smooth(t)", 1.0 / 3, 0.25}, {"smooth(t)", 2, 1},
		// conditions: the branch not taken may be anything
		{"t < 1 ? 2 : 3", 0, 2}, {"t < 1 ? 2 : 3", 1, 3}, {"t > 0 ? 1/t : 0", 0, 0}, {"0 < t < 1 ? 1 : 0", 0.5, 1}, {"0 < t < 1 ? 1 : 0", 1, 0},
		{"t >= 1 && t <= 2 ? 1 : 0", 2, 1}, {"t == 1 or t == 3 ? 1 : 0", 3, 1}, {"!(t != 1) ? 1 : 0", 1, 1}, {"not true ? 1 : 0", 0, 0},
		{"1 + 0.2*sin(2*pi*t)", 0.25, 1.2},
	} {
		got, err := mustCompile(t, c.text, "t").Eval(c.x)
		if err != nil || math.Abs(got-c.want) > 4e-16*math.Max(1, math.Abs(c.want)) { // two roundings
			t.Errorf("%s at t = %v is %v (%v), want %v", c.text, c.x, got, err, c.want)
		}
	}
}

func TestSeveralVariablesAreInTheOrderGiven(t *testing.T) {
	e := mustCompile(t, "x - 10*y", "x", "y")
	if v, err := e.Eval(5, 2); v != -15 || err != nil {
		t.Errorf("x − 10y at (5, 2) is %v (%v), want −15", v, err)
	}
	if _, err := e.Eval(1); err == nil || !strings.Contains(err.Error(), "takes 2 values, not 1") {
		t.Errorf("one value for two variables gives %v", err)
	}
	if e.Constant() || !mustCompile(t, "2*pi", "x").Constant() || e.String() != "x - 10*y" {
		t.Errorf("constant %v, text %q", e.Constant(), e)
	}
}

func TestAValueThatIsNotFiniteNamesTextAndTime(t *testing.T) {
	for text, want := range map[string]string{
		"sqrt(1 - t)": `the expression "sqrt(1 - t)" is NaN at t = 2`,
		"1/(t - 2)":   "is +Inf at t = 2",
		"log(2 - t)":  "is -Inf at t = 2",
		"exp(1e3*t)":  "is +Inf at t = 2",
		"sqrt(-1)":    "is NaN at t = 2",
	} {
		v, err := mustCompile(t, text, "t").Eval(2)
		if v != 0 || err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "must be finite") {
			t.Errorf("%s at t = 2 is %v and says %v, want %q", text, v, err, want)
		}
	}
}

func TestWhatIsNoFormulaIsRefusedWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "is empty: write a formula",
		"sin(":                     "at character",
		"1 +":                      "an unexpected end",
		"1 2":                      "at character 3",
		"sin(2*x)":                 `at character 7 it names "x", which is unknown: known are t, pi, e, and the functions abs, `,
		"sine(t)":                  `calls "sine", which is unknown`,
		"sin":                      "the function sin without arguments: write sin(…)",
		"sin(1, 2)":                "gives sin 2 arguments, must be 1",
		"atan2(1)":                 "gives atan2 1 arguments, must be 2",
		"atan2(1, 2, 3)":           "gives atan2 3 arguments, must be 2",
		"min(1)":                   "gives min 1 arguments, must be 2 or more",
		"t < 1":                    "is a condition, must be a number: write for instance condition ? 1 : 0",
		"1 + (t < 1)":              "has a condition as an operand of +, must be a number",
		"t ? 1 : 2":                "has a number as the condition of ?, must be a condition",
		"t < 1 ? 1 : t < 2":        "has a number before and a condition behind the colon",
		"!t":                       "has a number as the operand of !",
		"-(t < 1)":                 "has a condition as the operand of −",
		"t && t":                   "has a number as an operand of &&",
		strings.Repeat("1+", 2048): "has 4096 characters",
	} {
		if len(text) > MaxLength-2 {
			text += "1"
			want = "has 4097 characters, must have at most 4096"
		}
		_, err := Compile(text, "t")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q says %v, want one line with %q", text, err, want)
		}
	}
}

// Nothing but numbers and the functions listed: no text, lists, loops, members,
// environment or function of the library that reads the text.
func TestNothingElseOfTheLanguageIsReachable(t *testing.T) {
	for _, text := range []string{
		`len("abc")`, `"a"`, `"a" + "b"`, `[1, 2][0]`, `{a: 1}.a`, `$env`, `$env.t`, `t.x`, `t?.x`, `t[0]`, `t[0:1]`, `nil`, `nil ?? 1`,
		`1..3`, `sum(1..10)`, `all([1], # > 0) ? 1 : 0`, `map(1..1000000000, # * 2)`, `reduce(1..9, #acc + #)`, `filter([1], true)`,
		`now()`, `now().Unix()`, `int("3")`, `float(3)`, `string(3)`, `round(1.5)`, `mean([1])`, `toJSON(1)`, `repeat("a", 9)`, `get(t, "x")`,
		`let x = 1; x`, `1; 2`, `t in [1] ? 1 : 0`, `"a" matches "b" ? 1 : 0`, `::abs(-1)(2)`, `sin(1)(2)`, `b"abc"`, `fromBase64("aa")`,
	} {
		if e, err := Compile(text, "t"); err == nil {
			v, err := e.Eval(1)
			t.Errorf("%s is accepted and gives %v, %v", text, v, err)
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	nested := func(n int, open, inner, closing string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(closing, n)
	}
	mustCompile(t, nested(2000, "(", "t", ")"), "t")
	mustCompile(t, nested(800, "sin(", "t", ")"), "t")
	if v, err := mustCompile(t, nested(maxDepth-1, "1+(", "t", ")"), "t").Eval(0); v != maxDepth-1 || err != nil {
		t.Errorf("a sum nested to the bound is %v (%v)", v, err)
	}
	for name, text := range map[string]string{
		"values kept":         nested(maxDepth, "1+(", "t", ")"),
		"chains that double":  nested(40, "(0 < (", "t", ") < 1 ? 1 : 0)"),
		"more than the bound": nested(4000, "(", "t", ")")[:MaxLength],
	} {
		if _, err := Compile(text, "t"); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestEvaluationAllocatesNothing(t *testing.T) {
	e := mustCompile(t, "t < 1 ? 1 + 0.2*sin(2*pi*t) : max(t, 2, exp(-t))", "t")
	at := 0.0
	if n := testing.AllocsPerRun(100, func() {
		at += 0.01
		if _, err := e.Eval(at); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("an evaluation allocates %v times", n)
	}
}

// FuzzCompile: any text is refused in one line or is a formula whose values are
// finite or errors, the same each time.
func FuzzCompile(f *testing.F) {
	for _, text := range []string{"1 + 0.2*sin(2*pi*t)", "t < 1 ? 2 : 3", "0 < t < 1 ? 1 : 0", "min(1, t, 2)^-t", "let x = 1; x", "map(1..9, #)", "((", "\"a\\", "if t > 1 {1} else {2}"} {
		f.Add(text, 0.5)
	}
	f.Fuzz(func(t *testing.T, text string, x float64) {
		e, err := Compile(text, "t")
		if err != nil {
			if err.Error() == "" {
				t.Error("an error that says nothing")
			}
			return
		}
		v, err := e.Eval(x)
		w, _ := e.Eval(x)
		if v != w || math.IsNaN(v) || math.IsInf(v, 0) || err != nil && v != 0 {
			t.Errorf("%q at %v is %v, then %v (%v)", text, x, v, w, err)
		}
	})
}
