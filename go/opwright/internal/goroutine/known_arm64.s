//go:build gc

#include "textflag.h"

// func ID() uint64
TEXT ·ID(SB), NOSPLIT, $0-8
	MOVD g, R0
	MOVD R0, ret+0(FP)
	RET
