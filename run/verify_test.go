package run

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"lbmib/internal/durable"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/setup/setuptest"
)

// A run that has made its last step is on the disk before it waits for the comparison of
// earlier files, leaves that when it is asked to stop, and keeps what was found meanwhile.
func TestARunIsSavedBeforeItsEarlierFilesAreVerified(t *testing.T) {
	dir := t.TempDir()
	file := func(name ...string) string { return filepath.Join(append([]string{dir}, name...)...) }
	every := "output.checkpoint.every=2.0" // not at the end
	plain := "ib.correction=none"          // of which nothing is warned on so few nodes
	if _, err := Run(&cancelledAfter{t.Context(), 100}, setuptest.Load(t, watchedCase, every, plain), Options{Out: dir}); exit.Code(err) != exit.Interrupted {
		t.Fatal(err)
	}
	c, o := setuptest.Load(t, watchedCase, every, plain), Options{Out: dir, Resume: true, Progress: io.Discard}
	o.apply(c)
	j, err := prepare(c, o)
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	r := j.(*run[float64])
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	saved, _, err := r.open()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.restore(ctx, saved); err != nil {
		t.Fatal(err)
	}
	r.checks.end(r.progress, true)
	const long = 1 << 40 // bytes, that take an hour to sum
	if err := os.WriteFile(file("fields", "long"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file("fields", "long"), long); err != nil {
		t.Skip(err)
	}
	r.checks.beginFiles(ctx, r.Dir, []observe.File{{Path: "fields/long", Sum: durable.Sum{Bytes: long, SHA256: "another"}}})

	ended := make(chan error, 1)
	go func() {
		_, err := r.toTheEnd(ctx)
		ended <- err
	}()
	var kept struct {
		Status   string
		Warnings []string
	}
	for begin := time.Now(); kept.Status != "done"; time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatal("the run is not on the disk")
		}
		if text, err := durable.ReadFile(file("manifest.json")); err == nil {
			_ = json.Unmarshal(text, &kept)
		}
	}
	if _, err := durable.Stat(file("checkpoint", fmt.Sprintf("%012d.ckpt", c.Run.Steps))); err != nil {
		t.Error(err)
	}
	select {
	case err := <-ended:
		t.Fatalf("the comparison was not waited for: %v", err)
	default:
	}
	r.checks.warn("found late")
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the comparison goes on though the run was asked to stop")
	}
	for _, name := range []string{"manifest.json", "summary.json"} {
		kept.Warnings = nil
		text, err := os.ReadFile(file(name))
		if err == nil {
			err = json.Unmarshal(text, &kept)
		}
		if err != nil || !slices.Equal(kept.Warnings, []string{"found late"}) {
			t.Errorf("%s has the warnings %q (%v)", name, kept.Warnings, err)
		}
	}
}

// Warnings are told once and counted once, however often a run is resumed.
func TestWarningsBeyondTheMostAreCountedOnce(t *testing.T) {
	var before []string
	m := new(savedMeta)
	for part, files := range []int{25, 25, 26} {
		var c checks
		c.restore(m)
		for i := range files {
			c.warn("file %d", i)
		}
		told := c.told()
		want := fmt.Sprintf("and %d more of this kind", files-mostWarnings)
		if len(told) != mostWarnings+1 || told[mostWarnings] != want || part > 0 && !slices.Equal(told[:mostWarnings], before[:mostWarnings]) {
			t.Errorf("part %d tells %q, the one before %q", part, told, before)
		}
		before = told
		m = new(savedMeta)
		m.Warnings, m.MoreWarnings = c.kept()
		text, err := json.Marshal(m)
		m = new(savedMeta)
		if err == nil {
			err = json.Unmarshal(text, m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
