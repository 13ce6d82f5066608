package regular

import (
	"context"
	"errors"
	"fmt"
	"io"

	"lbmib/internal/durable"
)

// CheckSum compares a file with a sum that it had; with longer a file that has grown since
// is good. The error says how it differs. A cancelled context ends the reading with its
// error.
func CheckSum(ctx context.Context, path string, sum durable.Sum, longer bool) error {
	f, size, err := Open(path)
	switch {
	case errors.Is(err, ErrKind):
		return fmt.Errorf("it is %w", ErrKind)
	case err != nil:
		return fmt.Errorf("it cannot be read: %w", durable.Cause(err))
	}
	defer f.Close()
	switch {
	case size < sum.Bytes, size > sum.Bytes && !longer:
		return fmt.Errorf("it has %d bytes, %d were written", size, sum.Bytes)
	case sum.SHA256 == "":
		return nil
	}
	read := durable.NewSummer()
	for left := sum.Bytes; left > 0; {
		n, err := io.CopyN(read, f, min(left, 16<<20))
		if left -= n; err != nil {
			return fmt.Errorf("it cannot be read: %w", durable.Cause(err))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if read.Sum() != sum {
		return fmt.Errorf("its %d bytes are not those that were written (SHA-256)", sum.Bytes)
	}
	return nil
}
