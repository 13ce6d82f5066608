package casefile

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A unit string is a number and a product of powers of units:
// "3.91 um", "1 mPa.s", "1e-6 m^2/s", "5 /s". Factors are joined by '.', '*',
// '·' or a space, "/" divides by the one factor behind it.

type unit struct {
	factor float64 // in coherent SI units
	dim    dimension
	prefix bool // takes SI prefixes
}

var (
	newton = dimension{1, -2, 1}
	pascal = dimension{-1, -2, 1}
	units  = map[string]unit{
		"m":    {1, dimension{m: 1}, true},
		"s":    {1, dimension{s: 1}, true},
		"g":    {1e-3, dimension{kg: 1}, true},
		"Hz":   {1, dimension{s: -1}, true},
		"N":    {1, newton, true},
		"dyn":  {1e-5, newton, true},
		"Pa":   {1, pascal, true},
		"bar":  {1e5, pascal, true},
		"P":    {0.1, dimension{-1, -1, 1}, true}, // poise
		"St":   {1e-4, dimension{2, -1, 0}, true}, // stokes
		"J":    {1, dimension{2, -2, 1}, true},
		"erg":  {1e-7, dimension{2, -2, 1}, true},
		"W":    {1, dimension{2, -3, 1}, true},
		"l":    {1e-3, dimension{m: 3}, true},
		"mmHg": {133.322387415, pascal, false},
		"min":  {60, dimension{s: 1}, false},
		"h":    {3600, dimension{s: 1}, false},
	}
	prefixes = map[string]float64{
		"Y": 1e24, "Z": 1e21, "E": 1e18, "P": 1e15, "T": 1e12, "G": 1e9, "M": 1e6, "k": 1e3, "h": 1e2, "da": 1e1,
		"d": 1e-1, "c": 1e-2, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15, "a": 1e-18, "z": 1e-21, "y": 1e-24,
	}

	numberAndUnit = regexp.MustCompile(`^\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(.*?)\s*$`)
	oneOver       = regexp.MustCompile(`^1\s*/`) // "50 1/s"
	// operator, unit, power; the power also without ^ and as superscripts
	unitFactor  = regexp.MustCompile(`^\s*([./*·]?)\s*([A-Za-zµμ]+)(?:(?:\^|\*\*)?([+-]?[0-9]{1,2})|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))?`)
	superscript = strings.NewReplacer("⁺", "+", "⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3",
		"⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")
)

// errNoNumber is of a text that does not even begin with a number.
var errNoNumber = errors.New("is not a number with a unit")

// errNoUnit is of a number alone.
var errNoUnit = errors.New("has no unit")

// unitRemedy says what to write for a quantity in place of a text that is none; empty where the error says it.
func unitRemedy(err error, plain string, q Quantity) string {
	if !errors.Is(err, errNoNumber) {
		return ""
	}
	return fmt.Sprintf(": write %s, or with a unit, for instance %q", plain, quantities[q].example)
}

// parseUnitString returns the value in coherent SI units and its dimension.
func parseUnitString(text string) (value float64, dim dimension, err error) {
	m := numberAndUnit.FindStringSubmatch(text)
	if m == nil {
		return 0, dim, fmt.Errorf("%q %w", text, errNoNumber)
	}
	value, err = strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0, dim, fmt.Errorf("%q: the number is out of range", text)
	}
	if m[2] == "" {
		return 0, dim, fmt.Errorf("%q %w: remove the quotes for reference units, or add a unit", text, errNoUnit)
	}
	factor, dim, err := parseUnit(m[2])
	if err != nil {
		return 0, dim, fmt.Errorf("%q: %w", text, err)
	}
	value *= factor
	if math.IsInf(value, 0) || math.IsNaN(value) {
		return 0, dim, fmt.Errorf("%q is out of range in SI units", text)
	}
	return value, dim, nil
}

// parseUnit returns the SI factor and the dimension of a product of units.
func parseUnit(text string) (factor float64, dim dimension, err error) {
	factor = 1
	text = oneOver.ReplaceAllString(text, "/")
	for rest := text; rest != ""; {
		m := unitFactor.FindStringSubmatch(rest)
		if m == nil || m[1] != "" && m[1] != "/" && rest == text {
			return 0, dim, fmt.Errorf(`%q is not a unit: write factors as in "kg/m^3" or "mPa.s"`, text)
		}
		rest = rest[len(m[0]):]
		u, ok := lookUpUnit(m[2])
		if !ok {
			return 0, dim, fmt.Errorf("unknown unit %q: known are m, s, g, Hz, N, dyn, Pa, bar, P, St, J, erg, W, l with SI prefixes, min, h and mmHg", m[2])
		}
		power := 1
		if digits := superscript.Replace(m[3] + m[4]); digits != "" {
			power, _ = strconv.Atoi(digits) // two digits at most
		}
		if m[1] == "/" {
			power = -power
		}
		factor *= math.Pow(u.factor, float64(power))
		dim = dim.plus(u.dim, power)
	}
	return factor, dim, nil
}

// lookUpUnit finds a unit by its symbol, with or without an SI prefix.
func lookUpUnit(symbol string) (unit, bool) {
	if u, ok := units[symbol]; ok {
		return u, true
	}
	for prefix, factor := range prefixes {
		u, ok := units[strings.TrimPrefix(symbol, prefix)]
		if ok && u.prefix && strings.HasPrefix(symbol, prefix) {
			u.factor *= factor
			return u, true
		}
	}
	return unit{}, false
}

// SI is a text with a unit, such as "10 m/s", in coherent SI units. It must be of a quantity.
func SI(text string, q Quantity) (float64, error) {
	v, dim, err := parseUnitString(text)
	if errors.Is(err, errNoUnit) { // there are no reference units here
		return 0, fmt.Errorf("%q %w: add one, for instance %q", text, errNoUnit, quantities[q].example)
	}
	if err != nil {
		return 0, fmt.Errorf("%s%s", err, unitRemedy(err, "a number with a unit", q))
	}
	if dim != q.in(3).dimension() {
		return 0, fmt.Errorf("%q is %s, must be %s: write for instance %q", text, dim, article(q.String()), quantities[q].example)
	}
	return v, nil
}
