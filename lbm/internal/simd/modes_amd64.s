#include "textflag.h"

// func fence()
TEXT ·fence(SB), NOSPLIT, $0-0
	SFENCE
	RET

// func mode() uint32
TEXT ·mode(SB), NOSPLIT, $0-4
	STMXCSR ret+0(FP)
	RET

// func setMode(mode uint32)
TEXT ·setMode(SB), NOSPLIT, $0-4
	LDMXCSR mode+0(FP)
	RET
