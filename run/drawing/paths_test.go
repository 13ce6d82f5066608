package drawing

import "testing"

// A body that falls is drawn by its height over time: what the grid moves it aside is no path.
func TestPathsAreDrawnAlongWhatMoves(t *testing.T) {
	fall := track{"ball", map[string][]float64{"t": {0, 1, 2}, "x": {1, 1.00002, 1.00001}, "y": {6, 5, 4}, "z": {1, 1, 1.00009}, "rx": {0, 0, 0}, "ry": {0, 0, 0}, "rz": {0, 0, 0}}}
	if from, to := coordinates([]track{fall}, 3); from.name != "t" || to.name != "y" {
		t.Errorf("a fall is drawn as %s over %s", to.name, from.name)
	}
	fall.values["x"] = []float64{1, 1.5, 1}
	if from, to := coordinates([]track{fall}, 3); from.name != "x" || to.name != "y" {
		t.Errorf("a path is drawn as %s over %s", to.name, from.name)
	}
}
