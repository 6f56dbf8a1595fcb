//go:build !race

package opwright_test

const few = 1
