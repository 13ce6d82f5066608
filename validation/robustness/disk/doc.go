// Package disk says what a disk may hold after the power fails. It follows the system
// calls that a process made below one directory, as strace wrote them down, and gives
// the tree that a failure after any of them may leave.
//
// The model takes from a file system only what POSIX promises: the bytes of a file are
// safe once fsync of the file has returned, and a name in a directory (made, renamed or
// removed) once fsync of that directory has returned. Whatever is not safe may be there,
// or not, in any combination; a rename within a directory happens wholly or not at all.
package disk
