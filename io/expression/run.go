package expression

// maxDepth bounds the values that a program keeps at once, so that its stack is
// an array of the caller's.
const maxDepth = 64

type operation uint8

const (
	push   operation = iota // value
	load                    // variable index
	apply1                  // f1 of the last value
	apply2                  // f2 of the last two
	choose                  // of the last three: the second where the first is true, else the third
)

type instruction struct {
	op    operation
	index int
	value float64
	f1    func(float64) float64
	f2    func(x, y float64) float64
}

// run evaluates both branches of a condition: no operation has an effect, and
// what is not chosen may be anything.
func (e *Expression) run(variables []float64) float64 {
	var stack [maxDepth]float64
	n := 0 // values on the stack
	for i := range e.program {
		switch in := &e.program[i]; in.op {
		case push:
			stack[n] = in.value
			n++
		case load:
			stack[n] = variables[in.index]
			n++
		case apply1:
			stack[n-1] = in.f1(stack[n-1])
		case apply2:
			n--
			stack[n-1] = in.f2(stack[n-1], stack[n])
		case choose:
			n -= 2
			if stack[n-1] != 0 {
				stack[n-1] = stack[n]
			} else {
				stack[n-1] = stack[n+1]
			}
		}
	}
	return stack[0]
}
