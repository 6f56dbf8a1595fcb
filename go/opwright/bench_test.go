package opwright_test

import (
	"runtime"
	"testing"

	"github.com/opwright/opwright/go/opwright"
	"github.com/opwright/opwright/go/opwright/internal/preamble"
)

// BenchmarkEmpty is a call of C that does nothing.
func BenchmarkEmpty(b *testing.B) {
	for range b.N {
		preamble.Nothing()
	}
}

// BenchmarkAdd adds four elements: results are closed, or in scopes of so many, or left to the
// collector.
func BenchmarkAdd(b *testing.B) {
	x := opwright.FromSlice([]float32{1, 2, 3, 4})
	b.Run("close", func(b *testing.B) {
		for range b.N {
			x.Add(x).Close()
		}
	})
	b.Run("scope", func(b *testing.B) {
		const each = 64
		for done := 0; done < b.N; done += each {
			opwright.Scope(func() {
				for range min(each, b.N-done) {
					x.Add(x)
				}
			})
		}
	})
	b.Run("cleanup", func(b *testing.B) {
		for range b.N {
			x.Add(x)
		}
	})
	b.Run("inplace", func(b *testing.B) {
		y := opwright.FromSlice([]float32{0, 0, 0, 0})
		for range b.N {
			y.AddI(x)
		}
	})
	opwright.GC()
}

// BenchmarkFinalized is what a call costs in a package like GoTorch.
func BenchmarkFinalized(b *testing.B) {
	x := preamble.NewFinalized([]float32{1, 2, 3, 4})
	for range b.N {
		x.Add(x)
	}
	runtime.GC()
}

// BenchmarkRefused is a call that fails, and what is done about that.
func BenchmarkRefused(b *testing.B) {
	x, y := matrix(), opwright.FromSlice([]float32{1})
	for range b.N {
		if _, err := opwright.Try(func() opwright.Tensor { return x.MM(y) }); err == nil {
			b.Fatal("it succeeded")
		}
	}
}

// BenchmarkMebibytes adds tensors of one MiB that nobody closes.
func BenchmarkMebibytes(b *testing.B) {
	x := opwright.FromSlice(make([]float32, mebibyte/4))
	for range b.N {
		x.Add(x)
	}
	opwright.GC()
}
