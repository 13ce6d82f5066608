package run

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
)

// InSI are numbers of a summary in SI, under their names with the unit at the end: "force_mean_N", in two dimensions
// "force_mean_N_per_m", for a metre of span. Without the anchors that a quantity needs it is not there.
type InSI map[string]any

// set adds a number, or several, of so many times a quantity's reference unit. Nothing is added where there is no number.
func (m InSI) set(u casefile.Units, name string, q casefile.Quantity, times float64, values ...finite.Number) {
	factor, ok := u.ToSI(q, times)
	if !ok || len(values) == 0 {
		return
	}
	out := make([]finite.Number, len(values))
	some := false
	for i, v := range values {
		out[i] = finite.Number(casefile.Shown(float64(v) * factor))
		some = some || finite.Is(float64(v))
	}
	switch key := name + "_" + u.Suffix(q); {
	case !some:
	case len(out) == 1:
		m[key] = out[0]
	default:
		m[key] = out
	}
}

// measures are what fields of a summary name in their tags `si`: a quantity, and how many of its reference unit their numbers are of.
var measures = map[string]struct {
	quantity casefile.Quantity
	times    float64
}{
	"length":             {casefile.Length, 1},
	"time":               {casefile.Time, 1},
	"velocity":           {casefile.Velocity, 1},
	"acceleration":       {casefile.Acceleration, 1},
	"frequency":          {casefile.Frequency, 1},
	"spin":               {casefile.Spin, 1},
	"curvature":          {casefile.Curvature, 1},
	"area":               {casefile.Area, 1},
	"flow rate":          {casefile.FlowRate, 1},
	"pressure":           {casefile.Pressure, 1},
	"tension":            {casefile.Tension, 1},
	"force":              {casefile.Force, 1},
	"energy":             {casefile.Work, 1},
	"force coefficient":  {casefile.Force, 0.5},
	"torque coefficient": {casefile.Torque, 0.5},
}

// measure sets what has a unit in SI, of the summary's parts and all within them.
func (s *Summary) measure() {
	for name, b := range s.Bodies { // what depends on more than the field
		b.SI = b.Oscillation.measure(s.units, b.ReferenceArea)
		for of, e := range b.Extremes { // of coefficients over ½ρU² and the reference area: as forces
			e.SI = InSI{}
			e.SI.set(s.units, "min", casefile.Force, 0.5*float64(b.ReferenceArea), e.Min)
			e.SI.set(s.units, "max", casefile.Force, 0.5*float64(b.ReferenceArea), e.Max)
			b.Extremes[of] = e
		}
		s.Bodies[name] = b
	}
	var m InSI // the summary's own scales are there already
	m.of(reflect.ValueOf(s).Elem(), s.units)
}

// of adds the fields of a struct that have a tag `si`, each under its name in JSON, and sets SI in the structs that it holds.
func (m InSI) of(v reflect.Value, u casefile.Units) {
	for i := range v.NumField() {
		to, field := v.Type().Field(i), v.Field(i)
		tag := to.Tag.Get("si")
		switch {
		case !to.IsExported():
		case tag != "":
			name, _, _ := strings.Cut(to.Tag.Get("json"), ",")
			q, ok := measures[tag]
			if !ok {
				panic("run: no quantity is called " + tag)
			}
			m.set(u, name, q.quantity, q.times, all(field.Interface())...)
		case field.Kind() == reflect.Pointer && !field.IsNil() && field.Elem().Kind() == reflect.Struct:
			if to.Anonymous {
				m.of(field.Elem(), u)
			} else {
				within(field.Elem(), u)
			}
		case field.Kind() == reflect.Struct:
			within(field, u)
		case field.Kind() == reflect.Map && field.Type().Elem().Kind() == reflect.Struct:
			for _, key := range field.MapKeys() {
				entry := reflect.New(field.Type().Elem()).Elem()
				entry.Set(field.MapIndex(key))
				within(entry, u)
				field.SetMapIndex(key, entry)
			}
		}
	}
}

// within sets SI in a struct that has it, and in those that it holds.
func within(v reflect.Value, u casefile.Units) {
	m := InSI{}
	m.of(v, u)
	if e, ok := v.Addr().Interface().(*Extremes); ok && e.measure != "" {
		m.set(u, "min", measures[e.measure].quantity, 1, e.Min)
		m.set(u, "max", measures[e.measure].quantity, 1, e.Max)
	}
	if to := v.FieldByName("SI"); to.IsValid() {
		own := to.Interface().(InSI)
		if own == nil {
			own = m
		} else {
			maps.Copy(own, m)
		}
		if len(own) > 0 {
			to.Set(reflect.ValueOf(own))
		}
	}
}

// scalesInSI are the scales of the case and the time that has been reached.
func scalesInSI(u casefile.Units, time float64) InSI {
	m := InSI{}
	m.set(u, "length", casefile.Length, 1, 1)
	m.set(u, "speed", casefile.Velocity, 1, 1)
	m.set(u, "density", casefile.Density, 1, 1)
	m.set(u, "pressure", casefile.Pressure, 1, 1)
	m.set(u, "time_unit", casefile.Time, 1, 1)
	m.set(u, "time", casefile.Time, 1, finite.Number(time))
	if len(m) == 0 {
		return nil
	}
	return m
}

// siText is a number or a vector in SI for people, its unit behind, where what is nothing but rounding is 0; empty without the
// anchors that it needs.
func siText(u casefile.Units, q casefile.Quantity, times float64, values ...finite.Number) string {
	factor, ok := u.ToSI(q, times)
	if !ok || len(values) == 0 {
		return ""
	}
	largest := 0.
	for _, v := range values {
		largest = math.Max(largest, math.Abs(u.Told(q, times, float64(v))*factor))
	}
	words := make([]string, len(values))
	for i, v := range values {
		x := u.Told(q, times, float64(v)) * factor
		if math.Abs(x) < 5e-4*largest { // beside the others
			x = 0
		}
		words[i] = fmt.Sprintf("%.4g", x)
	}
	text := strings.Join(words, ", ")
	if len(words) > 1 {
		text = "(" + text + ")"
	}
	return text + " " + u.Symbol(q)
}

// told is a number of a quantity, in its reference unit, with four digits for people: 0 where it is nothing but rounding.
func told(u casefile.Units, q casefile.Quantity, v finite.Number) string {
	return fourDigits(finite.Number(u.Told(q, 1, float64(v))))
}
