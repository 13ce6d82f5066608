package main

import (
	"os"
	"path/filepath"
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

func TestADirectoryWithoutKernelsIsRefused(t *testing.T) {
	if err := run([]string{t.TempDir()}, true); err == nil || !strings.Contains(err.Error(), "holds no .cu files") {
		t.Errorf("error %v", err)
	}
}
