package mutate

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// numbers are where arithmetic breaks.
var numbers = []string{"0", "-0.0", "-1", "1", "2", "0.5", "1e-12", "1e-6", "1e-300", "5e-324", "-5e-324", "1e6", "1e9", "1e12", "1e15", "1e18", "1e300", "-1e300",
	"1.7976931348623157e308", "1e999", "nan", "-nan", "inf", "-inf", "+inf", "2147483647", "2147483648", "-2147483648", "4294967296", "9007199254740993",
	"9223372036854775807", "-9223372036854775808", "9223372036854775808", "123456789012345678901234567890", "0x7fffffffffffffff", "0b1", "1_000", "0.1e-400",
	"3.0000000000000001", "0.99999999999999989", "100", "1000", "4096", "10000", "100000"}

// words are strings that something might read.
var words = []string{`""`, `" "`, `"1 m"`, `"-1 m"`, `"1e300 m"`, `"5e-324 um"`, `"nan s"`, `"inf m/s"`, `"3.91 um"`, `"1 mPa.s"`, `"0.5 dyn/cm"`, `"1 kg/m^3"`, `"1 m^99999999999"`, `"1 /"`, `"1 m/m/m/m"`, `"1 parsec"`,
	`"t"`, `"1/0"`, `"0/0"`, `"sqrt(-1)"`, `"log(0)"`, `"exp(1e9)"`, `"t^t^t^t"`, `"(-1)^0.5"`, `"1e308*10"`, `"sin(t"`, `"sin()"`, `"sin(t,t)"`, `"1/(t-1)"`, `"tan(2*pi*t)"`, `"sin(1e300*t)"`, `"smooth(t/0)"`, `"t*1e300"`, `"nan"`, `"inf"`, `"x"`, `"pi"`,
	`"/"`, `"/dev/null"`, `"/dev/zero"`, `"/dev/stdin"`, `"/proc/self/mem"`, `"."`, `".."`, `"../../../../etc/passwd"`, `"no such file"`, `"a\u0000b"`, `"\u001b[31mred"`, `"\u001b]0;title\u0007"`, `"\u202e"`, `"\uffff"`, `"é"`, `"😀"`, `"a\nb"`, `"a\tb"`, `"%s%d%n"`, `"$(id)"`, `"-"`, `"--help"`, `"CON"`,
	`"auto"`, `"none"`, `"D2Q9"`, `"D3Q19"`, `"bgk"`, `"trt"`, `"mrt"`, `"recursive"`, `"f64"`, `"f32"`, `"f32/f16"`, `"inplace"`, `"ab"`, `"soa"`, `"soaos"`, `"aos"`, `"cpu"`, `"cuda"`, `"hybrid"`,
	`"circle"`, `"ellipse"`, `"polygon"`, `"line"`, `"naca"`, `"0012"`, `"9999"`, `"0000"`, `"sphere"`, `"ellipsoid"`, `"cylinder"`, `"rbc"`, `"stl"`, `"union"`, `"inside"`, `"outside"`, `"both"`, `"x"`, `"z"`,
	`"fixed"`, `"prescribed"`, `"free"`, `"periodic"`, `"no-slip"`, `"free-slip"`, `"symmetry"`, `"velocity"`, `"pressure"`, `"outflow"`, `"moving-wall"`, `"parabolic"`, `"rest"`, `"uniform"`, `"shear"`, `"couette"`, `"poiseuille"`, `"taylor-green"`, `"file"`,
	`"direct"`, `"multidirect"`, `"roma3"`, `"hat2"`, `"peskin4"`, `"cosine4"`, `"m4prime"`, `"ib6"`, `"smagorinsky"`}

// others are values of other types.
var others = []string{"true", "false", "[]", "{}", "[[]]", "[{}]", "[0]", "[0.0, 0.0]", "[0.0, 0.0, 0.0]", "[1, 2, 3, 4]", "[nan, inf]", "[1e300, 1e300]", `["", ""]`, `["t", "1/0"]`, "[[0, 0], [1, 0], [0, 1]]", "[[0, 0], [0, 0], [0, 0]]", "[[0, 0], [1e300, 1], [1, 5e-324]]",
	"1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", `""" """`, `'''x'''`, "{ type = 1 }", `{ type = "fixed" }`, `{ every = 0 }`, `{ every = 1e-300 }`, `{ every = 1e300 }`, `{ every = nan }`, `{ count = [1, 1], step = [0, 0] }`, `{ count = [30, 30], step = [1e-3, 1e-3] }`, `{ count = [1000000000, 1], step = [1, 1] }`,
	`{ type = "ellipse", center = [1, 1], axes = [1.0, 5e-324] }`, `{ type = "union", of = [] }`, `{ type = "polygon", points = [[0, 0], [1, 0], [0.5, 1e300]] }`, `{ type = "file", path = "no.vtkhdf" }`}

// extreme is a value at random.
func extreme(r *rand.Rand) string {
	switch n := r.IntN(100); {
	case n < 50:
		return pick(r, numbers)
	case n < 75:
		return pick(r, words)
	case n < 90:
		return pick(r, others)
	case n < 92:
		return `"` + strings.Repeat(pick(r, []string{"a", "(", "-", "sin(", "1+", "é", " "}), 1+r.IntN(5000)) + `"`
	case n < 94:
		depth := 1 + r.IntN(3000)
		return strings.Repeat("[", depth) + strings.Repeat("]", depth)
	case n < 96:
		return "[" + strings.Repeat(pick(r, numbers)+", ", 1+r.IntN(3000)) + "]"
	case n < 98:
		depth := 1 + r.IntN(400)
		return strings.Repeat("{a = ", depth) + "1" + strings.Repeat("}", depth)
	}
	return fmt.Sprint(r.NormFloat64() * 1000)
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
