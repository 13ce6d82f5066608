package expression

import (
	"maps"
	"math"
	"slices"
)

// constants are names with a value.
var constants = map[string]float64{"pi": math.Pi, "e": math.E}

// unary are the functions of one argument.
var unary = map[string]func(float64) float64{
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan,
	"asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
	"exp": math.Exp, "log": math.Log, "log10": math.Log10, "sqrt": math.Sqrt,
	"abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil,
	"sign": sign, "step": step, "smooth": smooth,
}

// binary are the functions of two arguments; min and max take more, pair by pair.
var binary = map[string]func(x, y float64) float64{
	"atan2": math.Atan2, "pow": math.Pow, "min": math.Min, "max": math.Max,
}

// functions are the names of all functions in order.
var functions = slices.Sorted(func(yield func(string) bool) {
	for _, names := range []func(func(string) bool){maps.Keys(unary), maps.Keys(binary)} {
		for name := range names {
			if !yield(name) {
				return
			}
		}
	}
})

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x // 0 or NaN
}

func step(x float64) float64 {
	if x < 0 {
		return 0
	}
	if x >= 0 {
		return 1
	}
	return x // NaN
}

func smooth(x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	}
	return (1 - math.Cos(math.Pi*x)) / 2
}

// operators take two numbers and give a number.
var operators = map[string]func(x, y float64) float64{
	"+": func(x, y float64) float64 { return x + y },
	"-": func(x, y float64) float64 { return x - y },
	"*": func(x, y float64) float64 { return x * y },
	"/": func(x, y float64) float64 { return x / y },
	"%": math.Mod,
	"^": math.Pow, "**": math.Pow,
}

// comparisons take two numbers and give a truth value, 1 or 0.
var comparisons = map[string]func(x, y float64) float64{
	"<":  func(x, y float64) float64 { return truth(x < y) },
	"<=": func(x, y float64) float64 { return truth(x <= y) },
	">":  func(x, y float64) float64 { return truth(x > y) },
	">=": func(x, y float64) float64 { return truth(x >= y) },
	"==": func(x, y float64) float64 { return truth(x == y) },
	"!=": func(x, y float64) float64 { return truth(x != y) },
}

// connectives take two truth values and give one.
var connectives = map[string]func(x, y float64) float64{
	"&&": math.Min, "and": math.Min, "||": math.Max, "or": math.Max,
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
