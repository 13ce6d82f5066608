package transfer

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/BurntSushi/toml"

	"lbmib/cases"
	"lbmib/ib"
	"lbmib/internal/regular"
	"lbmib/io/casefile"
)

// Unstructured is the test of points that are tethered to their first places in a
// shear flow that is not solved: cases/unstructured.toml tells what a step is.
type Unstructured struct {
	Title       string
	Size        float64 // edge of the periodic cube, m
	Refinements []int   // cells along the edge
	Rate        float64 // of shear, 1/s
	Height      float64 // where the fluid rests, m
	Delta       string
	Points      int
	Seed        uint64
	Stiffness   float64 // N/m
	Step        float64 // s
	Steps       int
	Kernel      string // of the loops, not in the file: as ib.Kernel takes it; empty: the fastest
}

// caseFile is the case as it is written. What is absent is nil.
type caseFile struct {
	Title  *string
	Domain struct {
		Size       *string
		Refinement []int
	}
	Shear  struct{ Rate, Height *string }
	IB     struct{ Delta *string } `toml:"ib"`
	Points struct {
		Number *int
		Seed   *int64
	}
	Spring struct{ Stiffness *string }
	Run    struct {
		Step  *string
		Steps *int
	}
}

// mostFile is the largest case that is read, in bytes.
const mostFile = 1 << 20

// LoadUnstructured reads a case. What is wrong is told with file, line and key.
func LoadUnstructured(path string) (*Unstructured, error) {
	text, err := regular.ReadFile(path, mostFile)
	if err != nil {
		return nil, fmt.Errorf("%w: name a case file such as cases/unstructured.toml", err)
	}
	return ParseUnstructured(path, string(text))
}

// BuiltIn is the case that the tables use.
func BuiltIn() *Unstructured {
	const name = "unstructured.toml"
	text, err := cases.Files.ReadFile(name)
	if err == nil {
		var u *Unstructured
		if u, err = ParseUnstructured(name, string(text)); err == nil {
			return u
		}
	}
	panic("transfer: the built-in case: " + err.Error()) // a test reads it
}

// ParseUnstructured reads the text of a case; name is for messages.
func ParseUnstructured(name, text string) (*Unstructured, error) {
	if at, deep := casefile.TooDeep(text); deep {
		return nil, fmt.Errorf("%s:%d:%d: a key here is nested deeper than any of a case: flatten it", name, at.Line, at.Col)
	}
	var f caseFile
	meta, err := toml.Decode(text, &f)
	if err != nil {
		var at toml.ParseError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%s:%d: TOML: %s", name, at.Position.Line, strings.TrimSuffix(at.Message, "."))
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r := caseReader{name: name, text: text}
	for _, key := range meta.Undecoded() {
		r.fail(key.String(), "unknown key: known are title, domain.size, domain.refinement, shear.rate, shear.height, ib.delta, points.number, points.seed, spring.stiffness, run.step, run.steps")
	}
	u := &Unstructured{
		Title:       value(&r, "title", `"Points in a shear"`, f.Title),
		Size:        r.positive("domain.size", f.Domain.Size, lengths),
		Refinements: f.Domain.Refinement,
		Rate:        r.physical("shear.rate", f.Shear.Rate, rates),
		Height:      r.physical("shear.height", f.Shear.Height, lengths),
		Delta:       value(&r, "ib.delta", `"cosine4"`, f.IB.Delta),
		Points:      value(&r, "points.number", "65536", f.Points.Number),
		Seed:        uint64(value(&r, "points.seed", "1", f.Points.Seed)),
		Stiffness:   r.physical("spring.stiffness", f.Spring.Stiffness, stiffnesses),
		Step:        r.positive("run.step", f.Run.Step, times),
		Steps:       value(&r, "run.steps", "1000", f.Run.Steps),
	}
	u.check(&r)
	return u, errors.Join(r.errs...)
}

// check refuses what cannot be run.
func (u *Unstructured) check(r *caseReader) {
	if len(r.errs) > 0 {
		return
	}
	d, err := ib.NewDelta[float64](u.Delta)
	if err != nil {
		r.fail("ib.delta", "%v", err)
		return
	}
	if len(u.Refinements) == 0 {
		r.fail("domain.refinement", "is missing or empty: give cells along the edge, such as [16, 32]")
	}
	least := 2*d.Support() + 2
	for _, n := range u.Refinements {
		if n < least || n > 2048 {
			r.fail("domain.refinement", "%d must be between %d, so that points away from the periodic face are left, and 2048: 64 is usual", n, least)
		}
	}
	switch {
	case u.Points < 1 || u.Points > mostPoints:
		r.fail("points.number", "%d must be between 1 and %d: 65536 is usual", u.Points, mostPoints)
	case u.Steps < 1:
		r.fail("run.steps", "%d must be at least 1: 1000 is usual", u.Steps)
	case !(math.Abs(u.Rate)*u.Step < 1):
		r.fail("run.step", "%g s is longer than 1 over the shear rate of %g /s: points would be dragged through the whole box: take a shorter step", u.Step, u.Rate)
	case !(u.Height >= 0 && u.Height <= u.Size):
		r.fail("shear.height", "%g m lies outside the box of %g m: place it inside", u.Height, u.Size)
	case u.Rate == 0 || u.Stiffness == 0:
		r.fail("shear.rate", "rate and spring.stiffness must not be 0: nothing would be tested")
	}
}

// caseReader collects what is wrong with a case.
type caseReader struct {
	name, text string
	errs       []error
}

func (r *caseReader) fail(key, format string, args ...any) {
	at := r.name
	if n := r.line(key); n > 0 {
		at = fmt.Sprintf("%s:%d", r.name, n)
	}
	r.errs = append(r.errs, fmt.Errorf("%s: %s: %s", at, key, fmt.Sprintf(format, args...)))
}

// line is where a key is written, or the head of its table, or 0.
func (r *caseReader) line(key string) (at int) {
	table, name, inTable := strings.Cut(key, ".")
	if !inTable {
		table, name = "", key
	}
	n, here := 0, ""
	for line := range strings.Lines(r.text) {
		n++
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok && !strings.Contains(line, "=") {
			here, _, _ = strings.Cut(head, "]")
			if here = strings.TrimSpace(here); here == table && inTable {
				at = n
			}
			continue
		}
		word, _, found := strings.Cut(line, "=")
		if found && here == table && strings.TrimSpace(word) == name {
			return n
		}
	}
	return at
}

// value is what a key must have.
func value[V any](r *caseReader, key, example string, given *V) (v V) {
	if given == nil {
		r.fail(key, "is missing: give for instance %s", example)
		return v
	}
	return *given
}

func (r *caseReader) physical(key string, given *string, q quantity) float64 {
	if given == nil {
		r.fail(key, "is missing: give %s such as %q", q.name, q.example)
		return 0
	}
	v, err := q.parse(*given)
	if err != nil {
		r.fail(key, "%v", err)
	}
	return v
}

func (r *caseReader) positive(key string, given *string, q quantity) float64 {
	before := len(r.errs)
	v := r.physical(key, given, q)
	if len(r.errs) == before && v <= 0 {
		r.fail(key, "%q must be positive: give for instance %q", *given, q.example)
	}
	return v
}
