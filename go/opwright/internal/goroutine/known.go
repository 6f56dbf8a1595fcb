//go:build gc && (amd64 || arm64)

// Package goroutine tells goroutines apart.
package goroutine

// IsKnown says whether [ID] knows which goroutine calls it.
const IsKnown = true

// ID is a number that no other goroutine has as long as the calling one runs: where Go keeps what it
// knows of it.
func ID() uint64
