// Package precompiled lets a package compile what it has in single and in double precision once.
//
// The compiler compiles a generic function, all methods of a generic type, and all that they
// refer to, anew in every package that names them with a type argument. Where New[T] gives an
// interface, what it makes need not be named elsewhere:
//
//	var makers = []any{makeFlow[float32], makeFlow[float64]} // compiled here
//
//	func New[T Float](c Config) (Flow[T], error) {
//		return precompiled.Of[func(Config) (Flow[T], error)](makers)(c)
//	}
//
// It is for what makes things, not for what is called in loops.
package precompiled

import "fmt"

// Of is the first of the functions that has the type F. A list without one is a mistake in the
// program, and panics.
func Of[F any](functions []any) F {
	for _, f := range functions {
		if of, ok := f.(F); ok {
			return of
		}
	}
	panic(fmt.Sprintf("precompiled: none of %d functions is a %T", len(functions), *new(F)))
}
