package hugepage

import "golang.org/x/sys/unix"

// advise asks for huge pages under memory that holds nothing but zeros. It is
// advice: a system without huge pages, or with none free, leaves all as it is.
func advise(zeros []byte) {
	if unix.Madvise(zeros, unix.MADV_HUGEPAGE) != nil {
		return
	}
	// Memory that the program used before lies on the pages it had then, small
	// ones too. Given back, zeros come back as zeros when next touched, on huge
	// pages and near the thread that touches them. Fresh memory has no pages yet.
	_ = unix.Madvise(zeros, unix.MADV_DONTNEED)
}
