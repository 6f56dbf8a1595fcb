//go:build opwright_pkgconfig || opwright_local || opwright_static || windows

package opwright

// load does nothing: the linker has found the library.
func load() {}
