#include "textflag.h"

// func copyEnds(dst, src *[19]unsafe.Pointer, n, bytes int)
TEXT ·copyEnds(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), DX
	MOVQ bytes+24(FP), CX
	CMPQ CX, $32
	JGE  of32
	CMPQ CX, $16
	JGE  of16
	CMPQ CX, $8
	JGE  of8
	CMPQ CX, $4
	JGE  of4

of2:
	MOVQ (DI), AX
	MOVQ (SI), BX
	MOVW (BX), R8
	MOVW R8, (AX)
	ADDQ $8, DI
	ADDQ $8, SI
	DECQ DX
	JNZ  of2
	RET

of4: // two pieces, which may overlap
	MOVQ (DI), AX
	MOVQ (SI), BX
	MOVL (BX), R8
	MOVL -4(BX)(CX*1), R9
	MOVL R8, (AX)
	MOVL R9, -4(AX)(CX*1)
	ADDQ $8, DI
	ADDQ $8, SI
	DECQ DX
	JNZ  of4
	RET

of8:
	MOVQ (DI), AX
	MOVQ (SI), BX
	MOVQ (BX), R8
	MOVQ -8(BX)(CX*1), R9
	MOVQ R8, (AX)
	MOVQ R9, -8(AX)(CX*1)
	ADDQ $8, DI
	ADDQ $8, SI
	DECQ DX
	JNZ  of8
	RET

of16:
	MOVQ   (DI), AX
	MOVQ   (SI), BX
	MOVOU (BX), X0
	MOVOU -16(BX)(CX*1), X1
	MOVOU X0, (AX)
	MOVOU X1, -16(AX)(CX*1)
	ADDQ   $8, DI
	ADDQ   $8, SI
	DECQ   DX
	JNZ    of16
	RET

of32:
	MOVQ  (DI), AX
	MOVQ  (SI), BX
	MOVOU (BX), X0
	MOVOU 16(BX), X1
	MOVOU -32(BX)(CX*1), X2
	MOVOU -16(BX)(CX*1), X3
	MOVOU X0, (AX)
	MOVOU X1, 16(AX)
	MOVOU X2, -32(AX)(CX*1)
	MOVOU X3, -16(AX)(CX*1)
	ADDQ  $8, DI
	ADDQ  $8, SI
	DECQ  DX
	JNZ   of32
	RET
