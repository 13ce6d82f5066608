package mpi

import (
	"cmp"
	"errors"
	"fmt"
	"unsafe"
)

// Number is what messages are made of.
type Number interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int | ~int64 | ~uint64 | ~float32 | ~float64
}

// View is the same memory as numbers. It panics where bytes are left over, or the memory
// does not lie on a boundary of a number, which that of Buffer does.
func View[T Number](b []byte) []T {
	size := int(unsafe.Sizeof(T(0)))
	if len(b)%size != 0 || address(b)%uintptr(size) != 0 {
		panic(fmt.Sprintf("mpi: %d bytes at %#x are no whole numbers of %d bytes", len(b), address(b), size))
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/size)
}

// Bytes is the same memory as bytes.
func Bytes[T Number](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(T(0))))
}

// lengths are the lengths of all ranks' own, and their sum.
func lengths(c Comm, own int) (counts []int, sum int) {
	counts = GatherEach(c, own)
	for _, n := range counts {
		sum += n
	}
	return counts, sum
}

// GatherEach is a number of every rank, on all ranks.
func GatherEach[T Number](c Comm, own T) []T {
	size := int(unsafe.Sizeof(own))
	each := make([]int, c.Size())
	for r := range each {
		each[r] = size
	}
	all := make([]T, c.Size())
	c.AllGather(Bytes([]T{own}), each, Bytes(all))
	return all
}

// AllGatherV is AllGather where nobody knows the others' lengths yet.
func AllGatherV(c Comm, own []byte) (all []byte, counts []int) {
	counts, sum := lengths(c, len(own))
	all = make([]byte, sum)
	c.AllGather(own, counts, all)
	return all, counts
}

// GatherV is Gather where nobody knows the others' lengths yet; all is nil elsewhere than at root.
func GatherV(c Comm, root int, own []byte) (all []byte, counts []int) {
	counts, sum := lengths(c, len(own))
	if c.Rank() == root {
		all = make([]byte, sum)
	}
	c.Gather(root, own, counts, all)
	return all, counts
}

// BroadcastV gives all ranks the data of root, whose length only root knows.
func BroadcastV(c Comm, root int, data []byte) []byte {
	n := []int64{int64(len(data))}
	c.Broadcast(root, Bytes(n))
	if c.Rank() != root {
		data = make([]byte, n[0])
	}
	c.Broadcast(root, data)
	return data
}

// AgreeMax is the greatest of all ranks' numbers, on all of them; a NaN is less than all else.
func AgreeMax[T Number](c Comm, own T) T {
	most := own
	for _, x := range GatherEach(c, own) {
		if cmp.Compare(x, most) > 0 {
			most = x
		}
	}
	return most
}

// AgreeError gives all ranks the error of the first rank that has one, as a [RankError] with
// its text, and nil where none has. On that rank itself the error wraps its own.
func AgreeError(c Comm, own error) error {
	has := byte(0)
	if own != nil {
		has = 1
	}
	for rank, h := range GatherEach(c, has) {
		if h == 0 {
			continue
		}
		var text []byte
		if rank == c.Rank() {
			text = []byte(own.Error())
		}
		text = BroadcastV(c, rank, text)
		err := &RankError{Rank: rank, Host: c.Host(rank), Err: own}
		if rank != c.Rank() {
			err.Err = errors.New(string(text))
		}
		return err
	}
	return nil
}

// Local is this rank's number among those on its machine, and how many they are.
func Local(c Comm) (rank, size int) {
	if l, ok := c.(interface{ local() (rank, size int) }); ok {
		return l.local()
	}
	for r := range c.Size() {
		if c.Host(r) == c.Host(c.Rank()) {
			if r < c.Rank() {
				rank++
			}
			size++
		}
	}
	return rank, size
}
