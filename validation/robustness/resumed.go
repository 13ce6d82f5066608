package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lbmib/validation/robustness/mutate"
)

// resumed resumes a run n times whose checkpoint has been changed: half of the times
// any of its bytes, else its description, with the checksums made right again. It must
// go on, or say why not; bytes that were changed must be refused.
func (h *harness) resumed(n int) row {
	r := row{Part: "mutations", What: "checkpoints, resumed", begun: time.Now(), Detail: map[string]int{}}
	at := filepath.Join(h.work, "resumed")
	dir, whole := filepath.Join(at, "run"), filepath.Join(at, "whole")
	defer os.RemoveAll(at)
	args := []string{"run", "case.toml", "--quiet", "--set", "output.plots=false", "--set", "run.time=1.5", "--set", "output.fields.every=0"}
	if err := os.MkdirAll(whole, 0o777); err != nil {
		r.fail("%v", err)
		return r.end()
	}
	err := os.WriteFile(filepath.Join(whole, "case.toml"), []byte(caseText("space")), 0o666)
	if err == nil {
		err = h.program.do(whole, with(args, "--time=1")...).want(0)
	}
	kept, _ := filepath.Glob(filepath.Join(whole, "run", "checkpoint", "*.ckpt"))
	if err != nil || len(kept) == 0 {
		r.fail("no checkpoint to change: %v", err)
		return r.end()
	}
	random := h.random("resumed")
	for i := range n {
		if h.most > 0 && time.Since(r.begun) > h.most {
			r.Detail["asked for, and time was up"] = n
			break
		}
		os.RemoveAll(dir)
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			r.fail("%v", err)
			break
		}
		onlyBytes := i%2 == 0
		for k, path := range kept {
			file, err := os.ReadFile(path)
			if err != nil {
				r.fail("%v", err)
				return r.end()
			}
			changed := mutate.Checkpoint(file, random)
			if onlyBytes {
				changed = mutate.Bytes(file, random)
			}
			if string(changed) == string(file) {
				changed = append(changed, byte(k))
			}
			name, _ := filepath.Rel(whole, path)
			if err := os.WriteFile(filepath.Join(dir, name), changed, 0o666); err != nil {
				r.fail("%v", err)
				return r.end()
			}
		}
		r.Count++
		o := h.program.do(dir, with(args, "--resume")...)
		r.Detail[fmt.Sprintf("exit code %d", o.code)]++
		if err := resumedEnd(o, onlyBytes); err != nil {
			keep := filepath.Join(h.found, fmt.Sprintf("resumed-%d-%d", h.seed, i))
			r.fail("input %d: %v; kept in %s", i, err, keep)
			_ = os.CopyFS(keep, os.DirFS(dir))
		}
	}
	return r.end()
}

// resumedEnd holds the end of a run with a changed checkpoint against what it may be.
func resumedEnd(o outcome, onlyBytes bool) error {
	switch {
	case onlyBytes && o.code != 4:
		return fmt.Errorf("%s with damaged checkpoints, want 4\n%.1500s", o.how(), o.stderr)
	case o.code != 0 && o.code != 2 && o.code != 3 && o.code != 4:
		return fmt.Errorf("%s\n%.1500s", o.how(), o.stderr)
	case o.code != 0 && !strings.Contains(o.stderr, "lbmib: ") || strings.Contains(o.stderr, "goroutine "):
		return fmt.Errorf("%s without a message\n%.1500s", o.how(), o.stderr)
	}
	return speaks(o.stderr)
}
