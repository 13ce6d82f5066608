package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"lbmib/io/table"
)

// versions resumes what older versions left. Each must go on to the results of a run
// from the beginning, or be refused with a message that names the checkpoint and says
// what to do.
func (h *harness) versions() row {
	r := row{Part: "versions", What: "checkpoints of older versions, resumed", begun: time.Now(), Detail: map[string]int{}}
	kept, err := filepath.Glob(filepath.Join(h.root, "validation", "robustness", "testdata", "checkpoints", "*", "case.toml"))
	if err != nil || len(kept) == 0 {
		r.fail("no checkpoints of older versions are found: %v", err)
		return r.end()
	}
	for _, path := range kept {
		if err := h.version(filepath.Dir(path), &r); err != nil {
			r.fail("%s: %v", filepath.Base(filepath.Dir(path)), err)
		}
	}
	return r.end()
}

func (h *harness) version(kept string, r *row) error {
	at := filepath.Join(h.work, filepath.Base(kept))
	old, fresh := filepath.Join(at, "old"), filepath.Join(at, "fresh")
	if err := os.CopyFS(old, os.DirFS(kept)); err != nil {
		return err
	}
	defer os.RemoveAll(at)
	before, err := treeOf(old)
	if err != nil {
		return err
	}
	format, step, err := checkpointIn(old)
	if err != nil {
		return err
	}
	r.Count++
	args := []string{"run", "case.toml", "--quiet", "--set", "output.plots=false"}
	o := h.program.do(old, with(args, "--resume")...)
	switch o.code {
	case 0:
		r.Detail[fmt.Sprintf("format %d continued", format)]++
	case 2, 4:
		r.Detail[fmt.Sprintf("format %d refused", format)]++
		if !strings.Contains(o.stderr, ".ckpt") || !strings.Contains(o.stderr, "--overwrite") && !strings.Contains(o.stderr, "resume ") {
			return fmt.Errorf("the refusal does not name the checkpoint and a remedy: %s", o.stderr)
		}
		after, err := treeOf(old)
		if err != nil {
			return err
		}
		for name, content := range before {
			if after[name] != content {
				return fmt.Errorf("it is refused, and %s is changed", name)
			}
		}
		return nil
	default:
		return o.want(0)
	}
	if err := os.MkdirAll(fresh, 0o777); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(kept, "case.toml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(fresh, "case.toml"), text, 0o666)
	}
	if err != nil {
		return err
	}
	if err := h.program.do(fresh, args...).want(0); err != nil {
		return err
	}
	return sameForces(filepath.Join(old, "run", "forces.csv"), filepath.Join(fresh, "run", "forces.csv"), float64(step))
}

// checkpointIn is the format of the checkpoint in a run, which stands behind its first eight bytes,
// and its step, which is its name.
func checkpointIn(dir string) (format uint32, step int64, err error) {
	kept, err := filepath.Glob(filepath.Join(dir, "run", "checkpoint", "*.ckpt"))
	if err != nil || len(kept) == 0 {
		return 0, 0, errors.New("there is no checkpoint")
	}
	file, err := os.ReadFile(kept[0])
	if err != nil || len(file) < 12 {
		return 0, 0, errors.New("the checkpoint is too short")
	}
	step, err = strconv.ParseInt(strings.TrimSuffix(filepath.Base(kept[0]), ".ckpt"), 10, 64)
	return binary.LittleEndian.Uint32(file[8:]), step, err
}

// sameForces compares drag: kernels of another processor, which wrote the beginning, and
// of another version may round otherwise, and what rounds grows in these 100 steps
// to less than a billionth. The rows up to the step of the checkpoint are the other version's,
// which may have measured otherwise what the fluid does to a body.
func sameForces(got, want string, after float64) error {
	var cd, step [2][]float64
	for i, path := range []string{got, want} {
		t, err := table.Read(path)
		if err != nil {
			return err
		}
		if cd[i], err = t.Float("cd", nil); err != nil {
			return err
		}
		if step[i], err = t.Float("step", nil); err != nil {
			return err
		}
	}
	if !slices.Equal(step[0], step[1]) || len(cd[0]) == 0 || !(step[0][len(cd[0])-1] > after) {
		return fmt.Errorf("%d rows of forces, want %d, of the same steps, and some after step %v", len(cd[0]), len(cd[1]), after)
	}
	for i := range cd[0] {
		if step[0][i] > after && !(math.Abs(cd[0][i]-cd[1][i]) <= 1e-9*math.Abs(cd[1][i])) {
			return fmt.Errorf("row %d: the drag is %v, want %v", i, cd[0][i], cd[1][i])
		}
	}
	return nil
}
