package vtkhdf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
)

// seriesVersion is the version of ParaView's file-series format.
const seriesVersion = "1.0"

// Entry is one file of a time series. Name is relative to the series file.
type Entry struct {
	Name string  `json:"name"`
	Time float64 `json:"time"`
}

type series struct {
	Version string  `json:"file-series-version"`
	Files   []Entry `json:"files"`
}

// WriteSeries writes ParaView's .series file (JSON), which shows the files that
// it lists as one animation. The guarantees are those of WriteImage.
func WriteSeries(path string, entries []Entry) error {
	for i, e := range entries {
		if e.Name == "" || math.IsNaN(e.Time) || math.IsInf(e.Time, 0) {
			return fmt.Errorf("vtkhdf: %s: entry %d (name %q, time %g) is impossible: the name must not be empty and the time must be finite", path, i, e.Name, e.Time)
		}
	}
	if entries == nil {
		entries = []Entry{} // "files": [], not null
	}
	if err := durable.WriteJSON(path, series{seriesVersion, entries}); err != nil {
		return fmt.Errorf("vtkhdf: %w", err)
	}
	return nil
}

// ReadSeries reads a .series file. A missing one is empty.
func ReadSeries(path string) ([]Entry, error) {
	text, err := regular.ReadFile(path, regular.Most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("vtkhdf: %s: cannot read it: %w", path, err)
	}
	var s series
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("vtkhdf: %s: is not a file series: %w: remove it, or restore it from the files that it listed", path, err)
	}
	if s.Version != seriesVersion {
		return nil, fmt.Errorf("vtkhdf: %s: file-series-version is %q: only %q is known", path, s.Version, seriesVersion)
	}
	return s.Files, nil
}
