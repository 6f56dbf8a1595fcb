package opwright

// Where the library is: load looks for it when the program starts. With the tag `opwright_pkgconfig`
// the linker finds it by pkg-config, with `opwright_local` and `opwright_static` in the folder that the
// repository builds it into.

/*
#cgo noescape ow_abi_fits
#cgo nocallback ow_abi_fits
#cgo !opwright_pkgconfig,!opwright_local,!opwright_static,!windows CFLAGS: -I${SRCDIR}
#cgo linux,!opwright_pkgconfig,!opwright_local,!opwright_static LDFLAGS: -ldl
#cgo opwright_pkgconfig pkg-config: opwright
#cgo windows,!opwright_pkgconfig,!opwright_local,!opwright_static pkg-config: opwright
#cgo opwright_local CFLAGS: -I${SRCDIR}/../../target/c/include
#cgo opwright_local LDFLAGS: -L${SRCDIR}/../../target/c/lib -lopwright -Wl,-rpath,${SRCDIR}/../../target/c/lib
#cgo opwright_static CFLAGS: -I${SRCDIR}/../../target/c/include -DOW_STATIC
#cgo opwright_static LDFLAGS: ${SRCDIR}/../../target/c/lib/libopwright.a
#cgo opwright_static,linux LDFLAGS: -lutil -lrt -lpthread -lm -ldl
#include <opwright.h>
*/
import "C"

import "fmt"

func init() {
	load()
	const compiled = C.OW_ABI_VERSION
	if !C.ow_abi_fits(compiled) {
		loaded := C.ow_abi_version()
		panic(fmt.Sprintf("opwright: this program was compiled for version %d.%d of the library's interface, but version %d.%d is loaded",
			compiled>>16, compiled&0xffff, loaded>>16, loaded&0xffff))
	}
}
