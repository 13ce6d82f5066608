package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"lbmib/validation/robustness/disk"
)

// beginning is from where a process is followed that loses its power.
type beginning int

const (
	fresh beginning = iota
	again           // a run that was killed is resumed
)

// power follows a scenario's writes, and lets the power fail at so many moments of
// them. Each time what the disk may hold is made, and the scenario goes on from there.
func (h *harness) power(s *scenario, from beginning, moments int) row {
	name := s.name
	if from == again {
		name += ", resumed"
	}
	r := row{Part: "power", What: name, begun: time.Now(), Detail: map[string]int{}}
	ref, err := h.undisturbed(s)
	if err != nil {
		r.fail("not disturbed: %v", err)
		return r.end()
	}
	defer ref.remove()
	random := h.random("power " + name)
	rec, remove, err := h.record(ref, from)
	defer remove()
	if err != nil {
		r.fail("%v", err)
		return r.end()
	}
	r.Detail["calls"] = rec.Moments()
	for range moments {
		moment, loss := random.IntN(rec.Moments()), disk.Losses[random.IntN(len(disk.Losses))]
		dir := h.dir(s, "powerless")
		if err := h.goOn(rec, ref, dir, moment, loss, random, &r); err != nil {
			r.fail("after call %d of %d, lost %v: %v\nseed %d; what it left: %s", moment, rec.Moments(), loss, err, h.seed, dir)
			if len(r.Failures) == 20 {
				break
			}
			continue
		}
		os.RemoveAll(dir)
	}
	return r.end()
}

// record follows a scenario from its beginning, or from where it was killed.
func (h *harness) record(ref *reference, from beginning) (rec *disk.Recording, remove func(), err error) {
	dir, before := h.dir(ref.scenario, "followed"), h.dir(ref.scenario, "before")
	trace := before + ".trace"
	remove = func() {
		os.RemoveAll(dir)
		os.RemoveAll(before)
		os.Remove(trace)
	}
	if err := ref.place(h.program, dir); err != nil {
		return nil, remove, err
	}
	args := ref.first()
	if from == again {
		if err := h.killHalfWay(ref, dir); err != nil {
			return nil, remove, err
		}
		args = ref.next()
	}
	if err := os.CopyFS(before, os.DirFS(dir)); err != nil {
		return nil, remove, err
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		return nil, remove, fmt.Errorf("%w: install it, by apt-get install strace", err)
	}
	wrap := append(append([]string{strace}, disk.Traced...), trace)
	if err := h.program.doWrapped(dir, wrap, args...).want(0); err != nil {
		return nil, remove, err
	}
	if err := same(dir, ref.dir); err != nil {
		return nil, remove, fmt.Errorf("followed by strace: %w", err)
	}
	f, err := os.Open(trace)
	if err != nil {
		return nil, remove, err
	}
	defer f.Close()
	if rec, err = disk.Read(f, dir, before); err != nil {
		return nil, remove, err
	}
	return rec, remove, agrees(rec, dir)
}

// agrees holds the model against the disk: without a loss, after the last call, it must
// say what is there.
func agrees(rec *disk.Recording, dir string) error {
	tree, err := rec.Seen(rec.Moments() - 1)
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		content, known := tree[name]
		if !known || d.IsDir() != (content == nil) {
			return fmt.Errorf("the model of the disk does not know %s", name)
		}
		if !d.IsDir() && !equals(path, content) {
			return fmt.Errorf("the model of the disk has other content of %s", name)
		}
		return nil
	})
}

// killHalfWay begins a scenario and kills it when a second checkpoint is there.
func (h *harness) killHalfWay(ref *reference, dir string) error {
	p, err := h.program.begin(dir, nil, ref.first()...)
	if err != nil {
		return err
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if kept, _ := filepath.Glob(filepath.Join(dir, "run", "checkpoint", "*.ckpt")); len(kept) > 1 {
			break
		}
	}
	_ = p.cmd.Process.Kill()
	if o := p.wait(); o.code >= 0 {
		return fmt.Errorf("%s before it was killed: make the case longer", o.how())
	}
	return nil
}

// goOn makes what a failure leaves and lets the scenario go on from there to its end.
func (h *harness) goOn(rec *disk.Recording, ref *reference, dir string, moment int, loss disk.Loss, random *rand.Rand, r *row) error {
	tree, err := rec.After(moment, loss, random)
	if err != nil {
		return err
	}
	if err := tree.Write(dir); err != nil {
		return err
	}
	if err := sound(dir, ref.whole, false); err != nil {
		return err
	}
	r.Count++
	r.Detail["lost "+loss.String()]++
	k := &killing{harness: h, reference: ref, random: random, row: r, dir: dir}
	if err := k.mustHave(rec, moment); err != nil {
		return err
	}
	return k.endure(ref.next())
}

// mustHave holds that the newest checkpoint is there whose content and name were safe.
func (k *killing) mustHave(rec *disk.Recording, moment int) error {
	tree, err := rec.After(moment, disk.All, k.random)
	if err != nil {
		return err
	}
	safe := k.harness.dir(k.scenario, "safe")
	defer os.RemoveAll(safe)
	if err := tree.Write(safe); err != nil {
		return err
	}
	if k.kept, err = k.keptIn(safe); err != nil {
		return err
	}
	now, err := k.keptIn(k.dir)
	if err != nil {
		return err
	}
	return k.kept.without(now)
}
