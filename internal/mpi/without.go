//go:build nompi

package mpi

import "errors"

var errWithout = errors.New("mpi: this program was built without MPI (tag nompi): build it without the tag, or start it alone")

// Find fails: the program was built without MPI.
func Find() ([]Library, error) { return nil, errWithout }

// Connect fails: the program was built without MPI.
func Connect() (Comm, error) { return nil, errWithout }
