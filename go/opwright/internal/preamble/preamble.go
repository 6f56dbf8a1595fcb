// Package preamble calls the library as a program does that needs more than package opwright has:
// by a preamble of its own over the same header.
package preamble

/*
#cgo !opwright_local,!opwright_static pkg-config: opwright
#cgo opwright_local CFLAGS: -I${SRCDIR}/../../../../target/c/include
#cgo opwright_local LDFLAGS: -L${SRCDIR}/../../../../target/c/lib -lopwright -Wl,-rpath,${SRCDIR}/../../../../target/c/lib
#cgo opwright_static CFLAGS: -I${SRCDIR}/../../../../target/c/include -DOW_STATIC
#cgo noescape nothing
#cgo nocallback nothing
#include <opwright.h>

static void nothing(void) {}
*/
import "C"

// Version is the library's version.
func Version() string { return C.GoString(C.ow_version()) }

// Nothing calls a function that does nothing, to measure what a call costs.
func Nothing() { C.nothing() }
