//go:build !linux

package machine

import (
	"errors"
	"fmt"
	"os"
)

var errUnknown = errors.New("this system is not asked for its limits")

// Limit is not known on this system.
func Limit() (MemoryLimit, error) { return MemoryLimit{}, errUnknown }

// HugePages is not known on this system.
func HugePages() (string, error) { return "", errUnknown }

// FreeDisk is not known on this system.
func FreeDisk(string) (int64, error) { return 0, errUnknown }

// Writable is nil for a directory that exists; what it holds is found out later.
func Writable(directory string) error {
	info, err := os.Stat(directory)
	if err == nil && !info.IsDir() {
		err = errors.New("not a directory")
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written to: %w", directory, err)
	}
	return nil
}
