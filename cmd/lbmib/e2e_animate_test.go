package main

import (
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A moving picture has a frame for every step that there are fields of, all of one size; films are ffmpeg's.
func TestAMovingPicture(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	lbmib(t, dir, "run", "case.toml", "--time=2", "--set", "output.fields.every=0.5", "--quiet").want(t, 0)
	o := lbmib(t, dir, "plot", "run", "--animate", "gif", "--field", "speed")
	o.want(t, 0)
	path := filepath.Join("run", "plots", "speed.gif")
	if !strings.Contains(o.stdout, path) {
		t.Errorf("it does not tell %s: %s", path, o.stdout)
	}
	f, err := os.Open(filepath.Join(dir, path))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := gif.DecodeAll(f)
	if err != nil || len(g.Image) != 4 {
		t.Fatalf("%d frames, want 4: %v", len(g.Image), err)
	}
	colors := map[uint8]bool{}
	for _, c := range g.Image[3].Pix {
		colors[c] = true
	}
	if b := g.Image[0].Bounds(); b.Dx() < 200 || g.Image[3].Bounds() != b || len(colors) < 50 {
		t.Errorf("frames of %v and %v, with %d colours", b, g.Image[3].Bounds(), len(colors))
	}
	empty := "PATH=" + t.TempDir()
	lbmibWith(t, dir, []string{empty}, "plot", "run", "--animate", "mp4").want(t, 2, "there is no ffmpeg", "take --animate gif")
	tools := t.TempDir() // an encoder that keeps what it is given, and one that fails
	encoder := filepath.Join(tools, "ffmpeg")
	if err := os.WriteFile(encoder, []byte("#!/bin/sh\nfor last; do :; done\nwc -c > \"$last\"\necho \"$@\" >> \"$last\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	path2 := "PATH=" + tools + string(os.PathListSeparator) + os.Getenv("PATH")
	lbmibWith(t, dir, []string{path2}, "plot", "run", "--animate", "webm").want(t, 0)
	if film := read(t, filepath.Join(dir, "run", "plots", "vorticity.webm")); !strings.Contains(film, "rawvideo") || !strings.Contains(film, "libvpx-vp9") || strings.HasPrefix(film, "0\n") {
		t.Errorf("the film is made of %s", film)
	}
	if err := os.WriteFile(encoder, []byte("#!/bin/sh\ncat > /dev/null\necho no such codec >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	lbmibWith(t, dir, []string{path2}, "plot", "run", "--animate", "mp4").want(t, 2, "ffmpeg made no mp4", "no such codec", "take --animate gif")
	if left, _ := filepath.Glob(filepath.Join(dir, "run", "plots", ".*")); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
	lbmib(t, dir, "plot", "run", "--animate", "avi").want(t, 2, "must be one of gif, webm, mp4")
	lbmib(t, dir, "plot", "run", "--animate", "gif", "--field", "speed,density").want(t, 2, "give one --field")
	lbmib(t, dir, "plot", "run", "--animate", "gif", "--at", "40").want(t, 2, "an animation is of all")
}
