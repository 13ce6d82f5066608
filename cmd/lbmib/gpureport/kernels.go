package gpureport

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/cuda/kernels"
)

// cacheRow is the folder in which the driver keeps what it has compiled.
type cacheRow struct {
	Cache string `json:"cache"`
	Files int    `json:"files"` // before anything was loaded
	Bytes int64  `json:"bytes"`
}

// moduleRow is a file of kernels as the driver's compiler made it.
type moduleRow struct {
	Module  string      `json:"module"`
	Bytes   int         `json:"ptx_bytes"`
	Image   string      `json:"image"`             // that the driver has taken
	Refused []string    `json:"refused,omitempty"` // images that it has not taken, for this module or one before
	LoadMs  float64     `json:"load_ms"`           // with compiling, where the cache did not have it
	Kernels []kernelRow `json:"kernels"`
}

// kernelRow is what the driver says of a kernel.
type kernelRow struct {
	Name       string `json:"name"`
	Registers  int    `json:"registers"`       // per thread
	Local      int    `json:"local_bytes"`     // per thread
	Shared     int    `json:"shared_bytes"`    // per block, static
	MaxThreads int    `json:"threads_at_most"` // per block
}

const cacheItem = "the driver's cache"

// kernelUnits load every module, so that the driver compiles each once, for all sections: a
// few in a process, so that one that is killed while it compiles loses little.
func kernelUnits(scope) (all []unit) {
	const together = 7
	for stems := range slices.Chunk(kernels.Stems(), together) {
		cache := len(all) == 0 // before any module
		all = append(all, unit{stems[0] + " to " + stems[len(stems)-1], func(j *job) error { return j.kernels(stems, cache) }})
	}
	return all
}

func (j *job) kernels(stems []string, cache bool) error {
	if !cache {
		j.plan(stems)
		j.loadAll(stems)
		return nil
	}
	j.plan(append([]string{cacheItem}, stems...))
	j.make(cacheItem, func() (any, error) {
		r := cacheRow{Cache: os.Getenv("CUDA_CACHE_PATH")}
		if r.Cache == "" {
			return r, nil
		}
		err := filepath.WalkDir(r.Cache, func(_ string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			i, err := e.Info()
			if err == nil {
				r.Files, r.Bytes = r.Files+1, r.Bytes+i.Size()
			}
			return nil
		})
		return r, err
	})
	j.loadAll(stems)
	return nil
}

func (j *job) loadAll(stems []string) {
	for _, stem := range stems {
		j.make(stem, func() (any, error) { return loaded(j.device.Library(), stem) })
	}
}

// loaded loads a module and asks for its kernels.
func loaded(l *device.Library, stem string) (*moduleRow, error) {
	m, err := l.Module(stem)
	if err != nil {
		return nil, err
	}
	r := &moduleRow{Module: stem, Bytes: len(m.Image.PTX), Image: m.Image.String(), LoadMs: float64(m.Took.Microseconds()) / 1e3}
	for _, refused := range l.Refused() {
		r.Refused = append(r.Refused, refused.String())
	}
	for _, name := range driver.Kernels(m.Image.PTX) {
		f, err := m.Function(name)
		if err != nil {
			return r, err
		}
		a, err := f.Attributes()
		if err != nil {
			return r, err
		}
		r.Kernels = append(r.Kernels, kernelRow{name, a.Registers, a.Local, a.Shared, a.MaxThreads})
	}
	return r, nil
}

func gatherKernels(g *gathering) {
	for _, r := range dataOf[cacheRow](g.Units) {
		if r.Cache != "" {
			g.printf("The driver keeps what it compiles in %s, which had %d files, %.1f MB, before the first module; load times are with compiling where it did not have the module.\n\n", r.Cache, r.Files, float64(r.Bytes)/1e6)
		}
	}
	var spilled []string
	var all []moduleRow
	var images, refused []string
	total, count := 0., 0
	for _, r := range dataOf[moduleRow](g.Units) {
		if r.Module == "" { // the cache
			continue
		}
		all = append(all, r)
		total += r.LoadMs
		images, refused = append(images, r.Image), append(refused, r.Refused...)
		for _, k := range r.Kernels {
			count++
			if k.Local > 0 {
				spilled = append(spilled, fmt.Sprintf("%s %d", k.Name, k.Local))
			}
		}
	}
	g.printf("%d modules with %d kernels, loaded in %.1f s together; images taken: %s.\n\n", len(all), count, total/1e3, strings.Join(harness.Unique(images), ", "))
	for _, why := range harness.Unique(refused) {
		g.printf("- **refused by the driver**: %s\n", strings.ReplaceAll(why, "\n", " / "))
	}
	if len(spilled) > 0 {
		g.printf("**Local memory**, bytes per thread (spilled registers, or arrays that are indexed while a kernel runs, as `open_…` has them on purpose): %s.\n\n", strings.Join(spilled, ", "))
	} else if count > 0 && !g.tiny {
		g.printf("No kernel uses local memory: nothing is spilled.\n\n")
	}
	g.printf("| module | load, ms | kernel | registers | local, bytes | shared, bytes | threads at most |\n|---|--:|---|--:|--:|--:|--:|\n")
	for _, r := range all {
		for i, k := range r.Kernels {
			module, load := "", ""
			if i == 0 {
				module, load = r.Module, fmt.Sprintf("%.1f", r.LoadMs)
			}
			g.printf("| %s | %s | %s | %d | %d | %d | %d |\n", module, load, k.Name, k.Registers, k.Local, k.Shared, k.MaxThreads)
		}
	}
}
