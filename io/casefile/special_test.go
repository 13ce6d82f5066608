//go:build unix

package casefile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lbmib/geometry"
)

// inTime is what a case whose files are special gives, if it ends.
func inTime(t *testing.T, path, text string) string {
	t.Helper()
	done := make(chan string, 1)
	go func() {
		_, err := Parse(path, []byte(text), nil)
		done <- strings.TrimSpace(errorText(err))
	}()
	select {
	case s := <-done:
		return s
	case <-time.After(20 * time.Second):
		t.Fatal("waits for a file that does not end")
		return ""
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestPipesAndDevicesAreNotWaitedFor(t *testing.T) {
	path := inFolder(t, nil)
	pipe := filepath.Join(filepath.Dir(path), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	stl := `{ type = "stl", file = "FILE", center = [4, 4, 4] }`
	for name, text := range map[string]string{
		"table":   edit(cylinder, `value = [1.0, 0.0] }`, `value = [1.0, 0.0], table = "FILE" }`),
		"initial": edit(cylinder, `initial = { type = "uniform", velocity = [1.0, 0.0] }`, `initial = { type = "file", path = "FILE" }`),
		"stl":     spatial(stl),
	} {
		for file, want := range map[string]string{"pipe": "is a pipe, not a regular file", "/dev/zero": "is a device, not a regular file"} {
			if got := inTime(t, path, strings.Replace(text, "FILE", file, 1)); !strings.Contains(got, want) || strings.Contains(got, "\n") {
				t.Errorf("%s = %s: %q, want %q", name, file, got, want)
			}
		}
	}
	if _, err := Read(pipe); err == nil || !strings.Contains(err.Error(), "is a pipe, not a regular file") {
		t.Errorf("a pipe as the case: %v", err)
	}
}

// Files with a hole are large without taking room: they are refused by their size,
// in no time.
func TestLargeFilesAreRefusedBeforeTheyAreRead(t *testing.T) {
	path := inFolder(t, map[string]string{"binary.stl": strings.Repeat("x", 84), "text.stl": "solid of " + strings.Repeat("x", 100), "a.csv": "t,factor\n", "f.vtkhdf": ""})
	folder := filepath.Dir(path)
	stl := func(name string) string {
		return spatial(`{ type = "stl", file = "` + name + `", center = [4, 4, 4] }`)
	}
	for _, c := range []struct {
		name string
		size int64
		text string
		want string
	}{
		{"binary.stl", 3 << 30, stl("binary.stl"), "the header promises 2021161080 facets in 101058054084 bytes, the file has 3221225472 bytes"},
		{"text.stl", 3 << 30, stl("text.stl"), "the file has 3221225472 bytes, must have at most 2147483648"},
		{"a.csv", 1 << 40, edit(cylinder, `value = [1.0, 0.0] }`, `value = [1.0, 0.0], table = "a.csv" }`), "it has 1099511627776 bytes, must have at most 67108864"},
		{"f.vtkhdf", 1 << 40, edit(cylinder, `initial = { type = "uniform", velocity = [1.0, 0.0] }`, `initial = { type = "file", path = "f.vtkhdf" }`), "it has 1099511627776 bytes, must have at most 136228864: give the field file of a run on as many nodes"},
	} {
		if err := os.Truncate(filepath.Join(folder, c.name), c.size); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if got := inTime(t, path, c.text); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if spent := time.Since(begin); spent > 2*time.Second { // 3 GiB take longer to read and hash
			t.Errorf("%s is refused after %v", c.name, spent)
		}
	}
	if geometry.MaxTriangles != 1<<22 {
		t.Error("the bounds above are of so many triangles")
	}
}
