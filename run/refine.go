package run

import (
	"encoding/json"
	"fmt"

	"lbmib/internal/regular"
	"lbmib/io/casefile"
	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/rundir"
)

// onGrids is the case on the nested grids that are asked for beside it. A run that is resumed goes on with those that it was begun on, whether
// asked for or not.
func onGrids(c *casefile.Case, o *Options) (on *casefile.Case, err error) {
	if !o.Refine && !o.Resume {
		return c, nil
	}
	on, note := c, ""
	if o.Resume {
		on, note, err = asBegun(c, o)
	} else {
		on, o.grids, note, err = check.WithGrids(c)
	}
	if err != nil {
		return nil, exit.AsBadCase(err)
	}
	if note != "" && !o.Quiet {
		fmt.Fprintln(o.Progress, note)
	}
	return on, nil
}

// asBegun is the case on the nested grids of the run in its directory, if it has them not of its own.
func asBegun(c *casefile.Case, o *Options) (on *casefile.Case, note string, err error) {
	var manifest struct {
		Grids string `json:"refine_auto"`
	}
	if text, err := regular.ReadFile(rundir.New(c).File("manifest.json"), regular.Most); err == nil {
		_ = json.Unmarshal(text, &manifest) // one that is damaged tells nothing, and is replaced
	}
	if len(c.Refine) > 0 || manifest.Grids == "" {
		if o.Refine && len(c.Refine) == 0 {
			note = "--refine auto: the run was begun on one grid, and goes on with it"
		}
		return c, note, nil
	}
	o.grids = manifest.Grids
	on, err = check.OnGrids(c, manifest.Grids)
	return on, "resuming on the nested grids that --refine auto took", err
}
