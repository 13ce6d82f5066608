package device

import (
	"errors"
	"strings"
	"testing"

	"lbmib/cuda/driver"
	"lbmib/cuda/kernels"
	"lbmib/cuda/standin"
)

// hopper makes the stand-in one of compute capability 9.0, for the rest of a test.
func hopper(t *testing.T) { t.Setenv("LBMIB_STANDIN_COMPUTE", "90") }

func TestADeviceGetsTheNewestImageForIt(t *testing.T) {
	numbersAlone(t)
	for compute, image := range map[string]string{"60": "sm_60 (PTX 6.0)", "75": "sm_60 (PTX 6.0)", "80": "sm_80 (PTX 7.0)", "90": "sm_80 (PTX 7.0)"} {
		t.Run(compute, func(t *testing.T) {
			t.Setenv("LBMIB_STANDIN_COMPUTE", compute)
			l := open(t)
			for _, stem := range kernels.Stems() {
				m, err := l.Module(stem)
				if err != nil {
					t.Fatal(err)
				}
				if m.Image.String() != image || m.Stem != stem || m.Took <= 0 {
					t.Errorf("%s: %v of %s, in %v", stem, m.Image, m.Stem, m.Took)
				}
			}
			if all := l.Modules(); len(all) != len(kernels.Stems()) || l.Images() != image || len(l.Refused()) > 0 {
				t.Errorf("%d modules of %s, refused %v", len(all), l.Images(), l.Refused())
			}
		})
	}
}

// A driver that refuses an image gets the next older one, once for all modules.
func TestARefusedImageIsReplacedByAnOlderOne(t *testing.T) {
	numbersAlone(t)
	hopper(t)
	for code, name := range map[string]string{
		"200": "INVALID_IMAGE", "209": "NO_BINARY_FOR_GPU", "218": "INVALID_PTX",
		"221": "JIT_COMPILER_NOT_FOUND", "222": "UNSUPPORTED_PTX_VERSION", "223": "JIT_COMPILATION_DISABLED",
	} {
		t.Run(code, func(t *testing.T) {
			t.Setenv("LBMIB_STANDIN_REFUSE", "sm_80:"+code)
			l := open(t)
			for _, stem := range []string{"meter", "sort"} {
				if m, err := l.Module(stem); err != nil || m.Image.Arch != "sm_60" {
					t.Fatalf("%s: %+v, %v", stem, m, err)
				}
			}
			refused := l.Refused()
			if len(refused) != 1 || refused[0].Image.Arch != "sm_80" || !strings.Contains(refused[0].String(), "CUDA_ERROR_"+name+" ("+code+")") {
				t.Errorf("refused: %v", refused)
			}

			t.Setenv("LBMIB_STANDIN_REFUSE", "sm_80:"+code+",sm_60:"+code)
			var all *driver.Refused
			_, err := open(t).Module("meter")
			if !errors.As(err, &all) || len(all.Images) != 2 {
				t.Fatalf("both refused: %v", err)
			}
			for _, says := range []string{"sm_80 (PTX 7.0): cuda: ", "sm_60 (PTX 6.0): cuda: ", name, "refused by LBMIB_STANDIN_REFUSE"} {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("%q does not say %q", err, says)
				}
			}
			var e *driver.Error
			if !errors.As(err, &e) || e.Remedy == "" {
				t.Errorf("there is no remedy in %v", err)
			}
		})
	}
}

// What is no refusal is not passed over: another image would fail, too, or hide it.
func TestOtherFailuresOfLoadingAreErrors(t *testing.T) {
	numbersAlone(t)
	hopper(t)
	for _, code := range []string{"2", "300", "719"} {
		t.Setenv("LBMIB_STANDIN_REFUSE", "sm_80:"+code)
		l := open(t)
		if m, err := l.Module("meter"); err == nil || len(l.Refused()) > 0 || !strings.Contains(err.Error(), "("+code+")") {
			t.Errorf("code %s: %v, %v", code, m, err)
		}
	}
}

func TestAnImageCanBeAskedFor(t *testing.T) {
	numbersAlone(t)
	hopper(t)
	t.Setenv(ImageVariable, "sm_60")
	if m, err := open(t).Module("meter"); err != nil || m.Image.Arch != "sm_60" {
		t.Errorf("%v, %v", m, err)
	}
	t.Setenv(ImageVariable, "sm_70")
	var wrong *ImageError
	if _, err := open(t).Module("meter"); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "choose one of sm_80, sm_60") {
		t.Errorf("an image that there is not: %v", err)
	}
	t.Setenv(ImageVariable, "sm_80")
	t.Setenv("LBMIB_STANDIN_COMPUTE", "60")
	if _, err := open(t).Module("meter"); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "choose one of sm_60,") {
		t.Errorf("an image for newer devices: %v", err)
	}
}

// open is a library on the stand-in, for the rest of a test.
func open(t testing.TB) *Library {
	t.Helper()
	d, err := driver.Open(standin.Build(t))
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Context(0)
	if err != nil {
		t.Fatal(err)
	}
	l := NewLibrary(c)
	t.Cleanup(func() {
		l.Close()
		c.Close()
	})
	return l
}

// numbersAlone leaves out, with -short, what compares numbers for long and has no goroutines
// that others have not.
func numbersAlone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short: it compares numbers, for long")
	}
}
