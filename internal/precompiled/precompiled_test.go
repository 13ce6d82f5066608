package precompiled

import (
	"strings"
	"testing"
)

func size[T float32 | float64]() int {
	var one T
	if _, single := any(one).(float32); single {
		return 4
	}
	return 8
}

func TestTheFunctionOfTheTypeIsTaken(t *testing.T) {
	type (
		of32 = func(float32) int
		of64 = func(float64) int
	)
	functions := []any{func(float32) int { return size[float32]() }, func(float64) int { return size[float64]() }}
	if a, b := Of[of32](functions)(1), Of[of64](functions)(1); a != 4 || b != 8 {
		t.Errorf("functions of %d and %d bytes, want 4 and 8", a, b)
	}
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, "func(int) int") {
			t.Errorf("a function that there is not: %q", said)
		}
	}()
	Of[func(int) int](functions)
}
