package check

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"lbmib/internal/machine"
	"lbmib/io/casefile"
	"lbmib/run/capacity"
	"lbmib/run/exit"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

func TestACaseBeyondTheMemoryIsRefusedWithWhatTakesLess(t *testing.T) {
	const never = "nothing of this"
	for _, c := range []struct {
		sets   []string
		says   string
		absent string
	}{
		{nil, `lower the resolution, shrink domain.size or use fluid.precision = "f32"`, "streaming"},
		{[]string{"fluid.precision=f32"}, `shrink domain.size or use fluid.precision = "f32/f16"`, "streaming"},
		{[]string{"fluid.precision=f32/f16"}, "lower the resolution or shrink domain.size", "fluid."},
		{[]string{"fluid.streaming=ab"}, `use fluid.streaming = "inplace" or use fluid.precision = "f32"`, never},
		{[]string{"fluid.streaming=ab", "fluid.precision=f32/f16"}, `shrink domain.size or use fluid.streaming = "inplace"`, "fluid.precision"},
	} {
		p := setuptest.Problem(t, setuptest.StreamCase, c.sets...)
		if err := capacity.Fits(p, machine.MemoryLimit{Bytes: capacity.Memory(p)}); err != nil {
			t.Errorf("%v: refused where there is just enough: %v", c.sets, err)
		}
		err := capacity.Fits(p, machine.MemoryLimit{Bytes: 1 << 20})
		if exit.Code(err) != exit.BadCase || !strings.Contains(err.Error(), "case.toml:3:1: reference.resolution: 320 × 240 nodes") ||
			!strings.Contains(err.Error(), "this machine has 1 MiB: ") || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), c.absent) {
			t.Errorf("%v: got %v, want …%s", c.sets, err, c.says)
		}
	}
}

// One lattice in place, two side by side; a checkpoint takes the room of one
// population, and reading one back that of all.
func TestMemoryIsThatOfTheScheme(t *testing.T) {
	of := func(sets ...string) int64 {
		return capacity.Memory(setuptest.Problem(t, setuptest.StreamCase, sets...))
	}
	nodes := int64(320 * 240)
	near := func(what string, got, want int64) { // ghosts and padding: rows of 320 nodes grow to 352, 2 of 240 are added
		if got < want || float64(got) > 1.15*float64(want) {
			t.Errorf("%s takes %d bytes, want %d and a little for ghosts", what, got, want)
		}
	}
	near("a second lattice", of("fluid.streaming=ab")-of("fluid.streaming=inplace"), nodes*9*8)
	near("a second lattice in half precision", of("fluid.streaming=ab", "fluid.precision=f32/f16")-of("fluid.precision=f32/f16"), nodes*9*2)
	near("half precision", of("fluid.precision=f32")-of("fluid.precision=f32/f16"), nodes*9*2)
	if auto, inplace := of(), of("fluid.streaming=inplace"); auto != inplace {
		t.Errorf("auto takes %d bytes, in place %d", auto, inplace)
	}
	p := setuptest.Problem(t, setuptest.StreamCase, "fluid.precision=f32/f16")
	before := capacity.Memory(p)
	if p.Resuming = true; capacity.Memory(p)-before != nodes*9*4 { // kept in the precision of arithmetic
		t.Errorf("a checkpoint read back takes %d bytes, want %d", capacity.Memory(p)-before, nodes*9*4)
	}
}

func TestTheSchemeIsToldAsARunWillTakeIt(t *testing.T) {
	auto := setup.RunnableKernels()[0]
	for _, c := range []struct {
		text   string
		sets   []string
		kernel setup.Kernel
		want   SchemeReport
	}{
		{setuptest.StreamCase, nil, setup.Kernel{}, SchemeReport{auto, "auto", "inplace", 1, "soa", 0, "f64", 144, Judged{}, "box", 0, 0, 0, auto}},
		{setuptest.StreamCase, []string{"fluid.precision=f32", "fluid.streaming=ab"}, setup.Kernel{Name: "go", From: "--kernel"}, SchemeReport{"go", "--kernel", "ab", 1, "soa", 0, "f32", 72, Judged{}, "box", 0, 0, 0, "go"}},
		{setuptest.StreamCase, []string{"fluid.precision=f32/f16", "fluid.layout=soaos"}, setup.Kernel{}, SchemeReport{auto, "auto", "inplace", 1, "soaos", 64, "f32/f16", 36, Judged{}, "box", 0, 0, 0, auto}},
		{setuptest.SphereCase, []string{"fluid.layout=aos"}, setup.Kernel{}, SchemeReport{auto, "auto", "inplace", 1, "aos", 0, "f64", 304, Judged{}, "box", 0, 0, 0, auto}},
		{setuptest.SphereCase, []string{"fluid.precision=f32", "fluid={layout=\"soaos\", block=128, precision=\"f32\"}"}, setup.Kernel{}, SchemeReport{auto, "auto", "inplace", 1, "soaos", 128, "f32", 152, Judged{}, "box", 0, 0, 0, auto}},
		{setuptest.SphereCase, []string{"fluid.precision=f32/f16"}, setup.Kernel{}, SchemeReport{auto, "auto", "inplace", 1, "soa", 0, "f32/f16", 76, Judged{}, "box", 0, 0, 0, auto}},
	} {
		path := setuptest.InEmptyDirectory(t, c.text)
		r := check(path, c.sets, c.kernel, func(*casefile.Case, *setup.Problem, setup.Kernel) speeds { return speeds{mflups: 100} })
		got := r.Scheme
		got.Rounding, got.Fluid, got.Box = Judged{}, 0, 0
		if got != c.want {
			t.Errorf("%v: %+v, want %+v (errors %q)", c.sets, got, c.want, r.Errors)
		}
		var out bytes.Buffer
		r.Write(&out, nil)
		if want := fmt.Sprintf("%s, %d bytes per node and sweep", c.want.Precision, c.want.BytesPerNode); !strings.Contains(out.String(), want) {
			t.Errorf("%v: %q is not in\n%s", c.sets, want, out.String())
		}
	}
}

func TestAKernelThatIsMissingIsTold(t *testing.T) {
	r := Report{Scheme: SchemeReport{Kernel: "go", KernelFrom: setup.Automatic, wanted: "avx2"}}
	var out bytes.Buffer
	(&page{w: &out}).writeScheme(&r)
	if want := "go, there is no avx2 kernel for this collision and precision"; !strings.Contains(out.String(), want) {
		t.Errorf("check does not say %q:\n%s", want, out.String())
	}
}
