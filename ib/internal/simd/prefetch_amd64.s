#include "textflag.h"

// func prefetch(base unsafe.Pointer, index *int32, n int, size uint)
TEXT ·prefetch(SB), NOSPLIT, $0-32
	MOVQ base+0(FP), DI
	MOVQ index+8(FP), SI
	MOVQ n+16(FP), DX
	MOVQ size+24(FP), CX

next:
	MOVLQSX (SI), AX
	IMULQ CX, AX
	PREFETCHT0 (DI)(AX*1)
	ADDQ $4, SI
	DECQ DX
	JNZ  next
	RET
