package expression

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
)

// maxProgram bounds the instructions of a program: the parser repeats the middle
// of a chain a < b < c, and so doubles what is nested in chains.
const maxProgram = 4096

// parse turns the text into a syntax tree. A panic of the parser on text that
// it does not expect is an error, too.
func parse(text string) (root ast.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("the expression %q cannot be read: %v: simplify it", text, p)
		}
	}()
	config := conf.CreateNew()
	for name := range config.Builtins {
		config.Disabled[name] = true // ours of the same name are calls like all others
	}
	tree, err := parser.ParseWithConfig(text, config)
	var syntax *file.Error
	if errors.As(err, &syntax) {
		return nil, fmt.Errorf("the expression %q has %s at character %d: write a formula, for instance \"0.5*sin(2*pi*t)\"",
			text, tokens.Replace(syntax.Message), syntax.From+1)
	}
	if err != nil {
		return nil, fmt.Errorf("the expression %q cannot be read: %w: simplify it", text, err)
	}
	return tree.Node, nil
}

// tokens says the parser's kinds of tokens in plain words.
var tokens = strings.NewReplacer("unexpected token EOF", "an unexpected end", "unexpected token", "an unexpected",
	"Operator(", "operator (", "Identifier(", "name (", "Bracket(", "bracket (", "Number(", "number (", "String(", "string (")

// kind is what a part of an expression is.
type kind int

const (
	number kind = iota
	condition
)

func (k kind) String() string { return [...]string{"a number", "a condition"}[k] }

// compiler turns a syntax tree into instructions for a stack of numbers.
type compiler struct {
	text      string
	variables []string
	given     map[string]float64 // constants beside pi and e

	program        []instruction
	depth, deepest int
	varies         bool
	err            error // the first
}

// fail reports a part of the text; what follows is not compiled.
func (c *compiler) fail(n ast.Node, format string, args ...any) kind {
	if c.err == nil {
		c.err = fmt.Errorf("the expression %q: at character %d it %s", c.text, n.Location().From+1, fmt.Sprintf(format, args...))
	}
	return number
}

// add appends an instruction that changes the number of values on the stack.
func (c *compiler) add(n ast.Node, in instruction, change int) {
	if len(c.program) == maxProgram {
		c.fail(n, "is too long, must have at most %d operations: simplify it, or give a table", maxProgram)
		return
	}
	c.program = append(c.program, in)
	c.depth += change
	if c.deepest = max(c.deepest, c.depth); c.deepest > maxDepth {
		c.fail(n, "is nested too deeply, must keep at most %d values at once: simplify it", maxDepth)
	}
}

// emit appends what puts the node's value on the stack, and says what it is.
func (c *compiler) emit(n ast.Node) kind {
	if c.err != nil {
		return number
	}
	switch n := n.(type) {
	case *ast.IntegerNode:
		c.add(n, instruction{op: push, value: float64(n.Value)}, 1)
	case *ast.FloatNode:
		c.add(n, instruction{op: push, value: n.Value}, 1)
	case *ast.BoolNode:
		c.add(n, instruction{op: push, value: truth(n.Value)}, 1)
		return condition
	case *ast.IdentifierNode:
		c.name(n)
	case *ast.UnaryNode:
		return c.prefix(n)
	case *ast.BinaryNode:
		return c.infix(n)
	case *ast.ConditionalNode:
		c.want(n.Cond, condition, "the condition of ?")
		is := c.emit(n.Exp1)
		if other := c.emit(n.Exp2); other != is {
			return c.fail(n, "has %s before and %s behind the colon, must be the same", is, other)
		}
		c.add(n, instruction{op: choose}, -2)
		return is
	case *ast.CallNode:
		c.call(n)
	default:
		return c.fail(n, "uses what formulas do not have: use numbers, %s and functions of these", c.names())
	}
	return number
}

// want emits a node that must be of a kind.
func (c *compiler) want(n ast.Node, k kind, what string) {
	if is := c.emit(n); c.err == nil && is != k {
		c.fail(n, "has %s as %s, must be %s", is, what, k)
	}
}

func (c *compiler) name(n *ast.IdentifierNode) {
	for i, v := range c.variables {
		if v == n.Value {
			c.varies = true
			c.add(n, instruction{op: load, index: i}, 1)
			return
		}
	}
	if v, ok := c.given[n.Value]; ok {
		c.add(n, instruction{op: push, value: v}, 1)
		return
	}
	if v, ok := constants[n.Value]; ok {
		c.add(n, instruction{op: push, value: v}, 1)
		return
	}
	if unary[n.Value] != nil || binary[n.Value] != nil {
		c.fail(n, "uses the function %s without arguments: write %[1]s(…)", n.Value)
		return
	}
	c.fail(n, "names %q, which is unknown: known are %s, and the functions %s", n.Value, c.names(), strings.Join(functions, ", "))
}

// names lists what a name may stand for.
func (c *compiler) names() string {
	return strings.Join(slices.Concat(c.variables, slices.Sorted(maps.Keys(c.given)), []string{"pi", "e"}), ", ")
}

func (c *compiler) prefix(n *ast.UnaryNode) kind {
	switch n.Operator {
	case "-":
		c.want(n.Node, number, "the operand of −")
		c.add(n, instruction{op: apply1, f1: func(x float64) float64 { return -x }}, 0)
	case "+":
		c.want(n.Node, number, "the operand of +")
	default: // "!" and "not"
		c.want(n.Node, condition, "the operand of "+n.Operator)
		c.add(n, instruction{op: apply1, f1: func(x float64) float64 { return 1 - x }}, 0)
		return condition
	}
	return number
}

func (c *compiler) infix(n *ast.BinaryNode) kind {
	for _, class := range []struct {
		of          map[string]func(x, y float64) float64
		from, gives kind
	}{{operators, number, number}, {comparisons, number, condition}, {connectives, condition, condition}} {
		if f := class.of[n.Operator]; f != nil {
			c.want(n.Left, class.from, "an operand of "+n.Operator)
			c.want(n.Right, class.from, "an operand of "+n.Operator)
			c.add(n, instruction{op: apply2, f2: f}, -1)
			return class.gives
		}
	}
	return c.fail(n, "uses %q, which formulas do not have: use + - * / %% ^, comparisons, && and ||", n.Operator)
}

func (c *compiler) call(n *ast.CallNode) {
	callee, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		c.fail(n, "calls what is no function: known are %s", strings.Join(functions, ", "))
		return
	}
	name, given := callee.Value, len(n.Arguments)
	f1, f2 := unary[name], binary[name]
	many := name == "min" || name == "max"
	switch {
	case f1 == nil && f2 == nil:
		c.fail(n, "calls %q, which is unknown: known are %s", name, strings.Join(functions, ", "))
	case f1 != nil && given != 1:
		c.fail(n, "gives %s %d arguments, must be 1", name, given)
	case f2 != nil && (given < 2 || given > 2 && !many):
		c.fail(n, "gives %s %d arguments, must be 2%s", name, given, map[bool]string{true: " or more"}[many])
	}
	for i, a := range n.Arguments {
		c.want(a, number, "an argument of "+name)
		if f1 != nil {
			c.add(n, instruction{op: apply1, f1: f1}, 0)
		} else if i > 0 {
			c.add(n, instruction{op: apply2, f2: f2}, -1)
		}
	}
}
