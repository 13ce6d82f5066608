// Package expression reads formulas of a few variables, such as
// "1 + 0.2*sin(2*pi*t)", and evaluates them in float64. The syntax is that of
// github.com/expr-lang/expr, whose parser reads the text; of the language only
// numbers, arithmetic, comparisons, conditions and the functions listed here
// exist, so that a formula reads nothing, keeps nothing and always ends.
//
//   - − * / %      % is the remainder with the sign of the dividend; ^ and ** are powers
//     < <= > >= == != && || !  and  condition ? a : b
//     pi e
//     sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt abs floor ceil
//     sign(x)        −1, 0 or 1
//     step(x)        0 below 0, 1 from 0
//     smooth(x)      0 below 0, 1 above 1, (1 − cos πx)/2 between
//     atan2(y, x)  pow(x, y)  min(x, …)  max(x, …)
package expression

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// MaxLength bounds the text of an expression, in bytes.
const MaxLength = 4096

// Expression is a compiled formula. It is immutable, and evaluation allocates
// nothing: any number of goroutines may share it.
type Expression struct {
	text      string
	variables []string
	program   []instruction
	varies    bool // reads a variable
}

// Compile reads a formula of the variables. The error says what is wrong, where
// in the text and what to write instead.
func Compile(text string, variables ...string) (*Expression, error) {
	return CompileWith(nil, text, variables...)
}

// CompileWith is Compile of a formula that may name further constants.
func CompileWith(constants map[string]float64, text string, variables ...string) (*Expression, error) {
	if len(text) > MaxLength {
		return nil, fmt.Errorf("the expression has %d characters, must have at most %d: shorten it, or give a table", len(text), MaxLength)
	}
	if strings.TrimSpace(text) == "" {
		return nil, fmt.Errorf("the expression is empty: write a formula, for instance \"sin(2*pi*%s)\"", firstOf(variables))
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	c := &compiler{text: text, variables: variables, given: constants}
	if is := c.emit(root); c.err == nil && is != number {
		c.fail(root, "is %s, must be a number: write for instance condition ? 1 : 0", is)
	}
	if c.err != nil {
		return nil, c.err
	}
	return &Expression{text: text, variables: slices.Clone(variables), program: c.program, varies: c.varies}, nil
}

func firstOf(variables []string) string {
	if len(variables) == 0 {
		return "0.25"
	}
	return variables[0]
}

// Reserved tells whether a name means something in every formula: a constant or a function.
func Reserved(name string) bool {
	_, constant := constants[name]
	return constant || unary[name] != nil || binary[name] != nil || slices.Contains(functions, name)
}

// String returns the text that was compiled.
func (e *Expression) String() string { return e.text }

// Constant reports whether the value is the same for all variables.
func (e *Expression) Constant() bool { return !e.varies }

// Eval returns the value for the variables, in the order given to Compile. A
// result that is not finite is an error, which names the variables' values.
func (e *Expression) Eval(values ...float64) (float64, error) {
	if len(values) != len(e.variables) {
		return 0, fmt.Errorf("the expression %q takes %d values, not %d", e.text, len(e.variables), len(values))
	}
	v := e.run(values)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("the expression %q is %v%s, must be finite there: look for roots and logarithms of negative numbers, and divisions by 0",
			e.text, v, e.at(values))
	}
	return v, nil
}

// at names the variables' values: " at t = 0.5".
func (e *Expression) at(values []float64) string {
	var parts []string
	for i, name := range e.variables {
		parts = append(parts, fmt.Sprintf("%s = %g", name, values[i]))
	}
	if len(parts) == 0 {
		return ""
	}
	return " at " + strings.Join(parts, ", ")
}
