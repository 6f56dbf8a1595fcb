//go:build !opwright_pkgconfig && !opwright_local && !opwright_static && !windows

package opwright

/*
#include <dlfcn.h>

const char *ow_go_fill(void *library);
*/
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// libraryVariable is the environment variable that says which library is taken.
const libraryVariable = "OPWRIGHT_LIBRARY"

// load looks for the library: where the variable says, else where the loader looks, else where
// pkg-config says. It panics if there is none.
func load() {
	names := libraryNames()
	if said := os.Getenv(libraryVariable); said != "" {
		if info, err := os.Stat(said); err == nil && info.IsDir() {
			said = firstOf(said, names)
		}
		if why := loadFrom(said); why != "" {
			panic(fmt.Sprintf("opwright: %s is %q, but %s; %s", libraryVariable, said, why, whereToGet))
		}
		return
	}
	var first string
	for _, name := range names {
		why := loadFrom(name)
		if why == "" {
			return
		}
		if first == "" {
			first = why
		}
	}
	if folder := libraryFolder(); folder != "" && loadFrom(firstOf(folder, names)) == "" {
		return
	}
	panic(fmt.Sprintf("opwright: the library for C was not found (%s); %s", first, whereToGet))
}

// loadFrom says why a library cannot be used; nothing if it is.
func loadFrom(path string) (why string) {
	withString(path, "load", "path", func(name *C.char) {
		library := C.dlopen(name, C.RTLD_NOW|C.RTLD_LOCAL)
		if library == nil {
			why = C.GoString(C.dlerror())
		} else if missing := C.ow_go_fill(library); missing != nil {
			why = fmt.Sprintf("%s lacks the function %s: it is older than this package", path, C.GoString(missing))
		}
	})
	return why
}

// libraryNames is what the library may be called; the first one is of the interface that this package
// was made for.
func libraryNames() []string {
	if runtime.GOOS == "darwin" {
		return []string{"libopwright.0.dylib", "libopwright.dylib"}
	}
	return []string{"libopwright.so.0", "libopwright.so"}
}

// libraryFolder is where pkg-config says that the library is.
func libraryFolder() string {
	folder, err := exec.Command("pkg-config", "--variable=libdir", "opwright").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(folder))
}

// firstOf is the first of these files that is in a folder.
func firstOf(folder string, names []string) string {
	for _, name := range names {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return filepath.Join(folder, names[0])
}
