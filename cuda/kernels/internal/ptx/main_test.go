package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCommentsAndEmptyLinesAreTakenOut(t *testing.T) {
	got := string(strip([]byte("//\n// made by a compiler\n\n.version 6.0\n\tret;   // -- end\n   // only this\n}\n")))
	if want := ".version 6.0\n\tret;\n}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is committed is what the sources give: anything else is found and named.
func TestCheckFindsPTXThatItsSourceDoesNotGive(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	source := "extern \"C\" __attribute__((global)) void k(float *p) { *p = 1; }\n"
	write("a.cu", source)
	find := func(part string) {
		t.Helper()
		if err := run([]string{dir}, true); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want one that says %q", err, part)
		}
	}
	find("a.ptx is not what")
	if err := run([]string{dir}, false); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{dir}, true); err != nil {
		t.Errorf("fresh PTX: %v", err)
	}
	write("a.cu", strings.Replace(source, "= 1", "= 2", 1))
	find("a.ptx is not what")
	write("a.cu", "nonesuch")
	find("nonesuch")
	write("a.cu", source)
	write("b.ptx", "")
	find("b.ptx has no source")
}

// Where newer devices get another text than the oldest, it is kept beside theirs, and
// only there.
func TestPTXThatDiffersForNewerDevicesIsKept(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "a.cu")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(source, []byte("extern \"C\" __attribute__((global)) void k(float *p) { *p = "+text+"; }\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(check bool, fails string) {
		t.Helper()
		if err := run([]string{dir}, check); err == nil && fails != "" || err != nil && (fails == "" || !strings.Contains(err.Error(), fails)) {
			t.Errorf("error %v, want %q", err, fails)
		}
	}
	is := func(want ...string) {
		t.Helper()
		files, _ := filepath.Glob(filepath.Join(dir, "*.ptx"))
		for i := range files {
			files[i] = filepath.Base(files[i])
		}
		if !slices.Equal(files, want) {
			t.Errorf("there are %v, want %v", files, want)
		}
	}
	write("__CUDA_ARCH__")
	run(false, "")
	is("a.ptx", "a.sm_80.ptx")
	run(true, "")
	text, err := os.ReadFile(filepath.Join(dir, "a.sm_80.ptx"))
	if err != nil || !strings.HasPrefix(string(text), ".version 7.0\n.target sm_80\n") {
		t.Errorf("%v, the text begins %.40q", err, text)
	}
	if err := os.Remove(filepath.Join(dir, "a.sm_80.ptx")); err != nil {
		t.Fatal(err)
	}
	run(true, "a.sm_80.ptx is not what")
	run(false, "")
	write("1")
	run(true, "a.ptx is not what")
	run(false, "")
	is("a.ptx")
	run(true, "")
}

func TestADirectoryWithoutKernelsIsRefused(t *testing.T) {
	if err := run([]string{t.TempDir()}, true); err == nil || !strings.Contains(err.Error(), "holds no .cu files") {
		t.Errorf("error %v", err)
	}
}
