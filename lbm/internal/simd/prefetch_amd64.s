#include "textflag.h"

// func prefetch(base unsafe.Pointer, offsets *int, n int, log uint)
TEXT ·prefetch(SB), NOSPLIT, $0-32
	MOVQ base+0(FP), DI
	MOVQ offsets+8(FP), SI
	MOVQ n+16(FP), DX
	MOVQ log+24(FP), CX

next:
	MOVQ (SI), AX
	SHLQ CX, AX
	PREFETCHT0 (DI)(AX*1)
	ADDQ $8, SI
	DECQ DX
	JNZ  next
	RET
