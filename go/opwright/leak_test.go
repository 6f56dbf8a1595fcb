package opwright_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/opwright/opwright/go/opwright"
)

const mebibyte = 1 << 20

// unchanged runs f, and fails if handles or bytes of the library are left after a collection.
func unchanged(t *testing.T, f func()) {
	t.Helper()
	opwright.GC()
	handles, bytes := opwright.LiveHandles(), opwright.LiveBytes()
	f()
	for range 50 {
		opwright.GC()
		if opwright.LiveHandles() <= handles && opwright.LiveBytes() <= bytes {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("handles: %d before, %d after; bytes: %d before, %d after",
		handles, opwright.LiveHandles(), bytes, opwright.LiveBytes())
}

func TestG15DroppedResultsAreFreed(t *testing.T) {
	unchanged(t, func() {
		a := opwright.FromSlice(make([]float32, 100))
		for range 10_000 {
			a.Add(a)
		}
		runtime.KeepAlive(a)
	})
}

func TestG16ErrorsAreFreed(t *testing.T) {
	unchanged(t, func() {
		a := opwright.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
		b := opwright.FromSlice([]float32{1, 2, 3})
		for range 10_000 {
			if _, err := opwright.Try(func() opwright.Tensor { return a.MM(b) }); err == nil {
				t.Fatal("a matrix times a vector is no MM")
			}
		}
	})
}

func TestPanicsLeaveNothing(t *testing.T) {
	unchanged(t, func() {
		a := opwright.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
		for range 1_000 {
			func() {
				defer func() { _ = recover() }()
				opwright.Scope(func() {
					a.Add(a)
					panic("not an error of ours")
				})
			}()
		}
	})
}

func TestScopesCloseWhatTheyMade(t *testing.T) {
	unchanged(t, func() {
		a := opwright.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
		opwright.GC()
		before := opwright.LiveHandles()
		var kept, dropped opwright.Tensor
		for range 10_000 {
			opwright.Scope(func() {
				dropped = a.Add(a)
				kept.Close()
				kept = opwright.Keep(dropped.Add(a))
			})
		}
		if now := opwright.LiveHandles(); now != before+1 {
			t.Errorf("%d handles before the scopes, %d after: only what is kept should be left", before, now)
		}
		if err := opwright.Do(func() { dropped.Shape() }); !errors.Is(err, opwright.ErrValue) {
			t.Errorf("what a scope made is closed after it, but: %v", err)
		}
		if got := opwright.ToSlice[float32](kept); got[0] != 3 {
			t.Errorf("kept: %v", got)
		}
	})
}

func TestScopesNest(t *testing.T) {
	unchanged(t, func() {
		var inner opwright.Tensor
		opwright.Scope(func() {
			opwright.Scope(func() { inner = opwright.Keep(opwright.FromSlice([]int64{7})) })
			if got := inner.Item(); got != int64(7) {
				t.Errorf("kept by the outer scope: %v", got)
			}
		})
		if err := opwright.Do(func() { inner.Item() }); !errors.Is(err, opwright.ErrValue) {
			t.Errorf("the outer scope closes it: %v", err)
		}
	})
}

func TestScopeOfKeepsItsResult(t *testing.T) {
	type pair struct {
		name  string
		Sums  []opwright.Tensor
		inner struct{ last opwright.Tensor }
	}
	unchanged(t, func() {
		a := opwright.FromSlice([]float32{1, 2})
		result := opwright.ScopeOf(func() pair {
			made := pair{name: "sums", Sums: []opwright.Tensor{a.Add(a), {}}}
			made.inner.last = made.Sums[0].Add(a)
			return made
		})
		if got := opwright.ToSlice[float32](result.inner.last); got[1] != 6 {
			t.Errorf("%v", got)
		}
		if got := opwright.ToSlice[float32](result.Sums[0]); got[1] != 4 {
			t.Errorf("%v", got)
		}
	})
}

// A link of a ring, which knows others, and itself.
type link struct {
	at     opwright.Tensor
	next   *link
	others []*link
	any    []any
}

func ring(length int, knowAll bool) *link {
	links := make([]*link, length)
	for i := range links {
		links[i] = &link{at: opwright.Ones([]int64{2})}
	}
	for i, it := range links {
		it.next = links[(i+1)%length]
		it.any = []any{nil, it}
		it.any[0] = it.any
		if knowAll {
			it.others = links
		}
	}
	return links[0]
}

func TestScopeOfKeepsWhatIsFarAway(t *testing.T) {
	for _, knowAll := range []bool{false, true} {
		const length = 400
		unchanged(t, func() {
			kept := opwright.ScopeOf(func() *link { return ring(length, knowAll) })
			for range length {
				is[float32](t, kept.at, 1, 1)
				kept = kept.next
			}
		})
	}
}

func TestGoroutinesOfAScopeAreNotInIt(t *testing.T) {
	unchanged(t, func() {
		var made opwright.Tensor
		opwright.Scope(func() {
			var wait sync.WaitGroup
			wait.Add(1)
			go func() {
				defer wait.Done()
				made = opwright.FromSlice([]float32{1})
			}()
			wait.Wait()
		})
		if made.Item() != float32(1) {
			t.Error("it was closed by the scope of another goroutine")
		}
	})
}

func TestCloseIsSafe(t *testing.T) {
	unchanged(t, func() {
		a := opwright.FromSlice([]float32{1})
		var wait sync.WaitGroup
		for range 8 {
			wait.Add(1)
			go func() { defer wait.Done(); a.Close() }()
		}
		wait.Wait()
		a.Close()
		opwright.Tensor{}.Close()
	})
}

// TestCloseRacesCalls closes what other goroutines use: each call succeeds or says that it was closed,
// and nothing is freed in use or left behind.
func TestCloseRacesCalls(t *testing.T) {
	unchanged(t, func() {
		uses := []func(a opwright.Tensor){
			func(a opwright.Tensor) { a.Add(a).Close() },
			func(a opwright.Tensor) { opwright.Cat([]opwright.Tensor{a, a}).Close() },
			func(a opwright.Tensor) { opwright.ToSlice[float32](a) },
			func(a opwright.Tensor) { a.Shape() },
			func(a opwright.Tensor) { a.Ref().Close() },
			func(a opwright.Tensor) { a.Storage().Close() },
			func(a opwright.Tensor) { _ = a.String() },
			func(a opwright.Tensor) { a.Backward() },
			func(a opwright.Tensor) { a.SameAs(a) },
		}
		for round := range 3000 / few {
			for _, use := range uses {
				a := opwright.FromSlice(make([]float32, 1+round%300))
				var wait sync.WaitGroup
				for range 3 {
					wait.Add(1)
					go func() {
						defer wait.Done()
						_ = opwright.Do(func() { use(a) })
					}()
				}
				if round%2 == 0 {
					a.Close()
				} else {
					go a.Close()
				}
				wait.Wait()
				a.Close()
			}
		}
		opwright.FinishGC()
	})
}

func TestScopesLeaveWhatCallsUse(t *testing.T) {
	unchanged(t, func() {
		for range 300 / few {
			var wait sync.WaitGroup
			opwright.Scope(func() {
				a := opwright.FromSlice(make([]float32, 1000))
				wait.Add(1)
				go func() {
					defer wait.Done()
					_ = opwright.Do(func() {
						for range 100 {
							a.Exp().Close()
						}
					})
				}()
			})
			wait.Wait()
		}
		opwright.FinishGC()
	})
}

func TestLentElementsAreNotFreed(t *testing.T) {
	unchanged(t, func() {
		a := opwright.FromSlice([]float32{1, 2, 3})
		opwright.Data(a, func(elements []float32) {
			refused(t, opwright.ErrRuntime, a.Close, "Close()", "lends")
			elements[0] = 5
		})
		if got := opwright.ToSlice[float32](a); got[0] != 5 {
			t.Error(got)
		}
		a.Close()
		refused(t, opwright.ErrValue, func() { opwright.Data(a, func([]float32) {}) }, "closed")
	})
}

// peak samples the resident memory while f runs, and returns how much it grew at most.
func peak(t *testing.T, f func()) int64 {
	t.Helper()
	start := resident(t)
	highest, done := start, make(chan struct{})
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		for {
			highest = max(highest, resident(t))
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	f()
	close(done)
	wait.Wait()
	return highest - start
}

func resident(t *testing.T) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("not run: this system does not say how much memory a process has")
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kilobytes << 10
		}
	}
	return 0
}

func TestG25MemoryIsFlat(t *testing.T) {
	unchanged(t, func() {
		a := opwright.FromSlice(make([]float32, mebibyte/4))
		grown := peak(t, func() {
			for range 10_000 / few {
				a.Add(a)
			}
		})
		t.Logf("peak: %d MiB more than before", grown/mebibyte)
		if grown > 256*mebibyte {
			t.Errorf("results of 1 MiB each let memory grow by %d MiB", grown/mebibyte)
		}
		runtime.KeepAlive(a)
	})
}

func TestManyGoroutinesWithoutClose(t *testing.T) {
	const goroutines, all = 64, 1_000_000 / few
	unchanged(t, func() {
		grown := peak(t, func() {
			var wait sync.WaitGroup
			for range goroutines {
				wait.Add(1)
				go func() {
					defer wait.Done()
					sum := opwright.FromSlice([]float32{0, 0, 0, 0}, 2, 2)
					one := opwright.FromSlice([]float32{1, 1, 1, 1}, 2, 2)
					for range all / goroutines {
						sum = sum.Add(one)
					}
					if got := opwright.ToSlice[float32](sum)[3]; got != all/goroutines {
						t.Errorf("%v", got)
					}
				}()
			}
			wait.Wait()
		})
		t.Logf("peak: %d MiB more than before", grown/mebibyte)
		if grown > 512*mebibyte {
			t.Errorf("small results let memory grow by %d MiB", grown/mebibyte)
		}
	})
}

func TestPressureCanBeTurnedOff(t *testing.T) {
	defer opwright.SetPressure(64 * mebibyte)
	opwright.SetPressure(0)
	a := opwright.FromSlice(make([]uint8, mebibyte))
	b := a.Ref()
	if !b.SharesMemory(a) || !b.SameAs(a) {
		t.Error("a reference is the same tensor")
	}
	opwright.FinishGC()
}

func ExampleScope() {
	x, w := opwright.FromSlice([]float32{1, 2, 3, 4}, 2, 2), opwright.FromSlice([]float32{1, 0, 0, 1}, 2, 2)
	var loss opwright.Tensor
	opwright.Scope(func() {
		y := x.MM(w).Relu()
		loss = opwright.Keep(y.Mean())
	})
	fmt.Println(loss.Item())
	// Output: 2.5
}

func ExampleScopeOf() {
	x := opwright.FromSlice([]float32{1, 2})
	y := opwright.ScopeOf(func() opwright.Tensor { return x.Add(x).Add(x) })
	fmt.Println(opwright.ToSlice[float32](y))
	// Output: [3 6]
}

func ExampleTry() {
	a := opwright.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
	_, err := opwright.Try(func() opwright.Tensor { return a.MM(opwright.FromSlice([]float32{1})) })
	fmt.Println(errors.Is(err, opwright.ErrRuntime))
	// Output: true
}

func TestFloatsOfSixteenBits(t *testing.T) {
	for bits := range 1 << 16 {
		half, brain := opwright.Float16(bits), opwright.BFloat16(bits)
		if v := half.Float32(); v == v && opwright.NewFloat16(v) != half {
			t.Fatalf("float16 %#x is %v, which is %#x", bits, v, opwright.NewFloat16(v))
		}
		if v := brain.Float32(); v == v && opwright.NewBFloat16(v) != brain {
			t.Fatalf("bfloat16 %#x is %v, which is %#x", bits, v, opwright.NewBFloat16(v))
		}
	}
	wide := []float32{0, 1, 65519.9, 65520, 1e-8, 6e-8, 1 + 0x1p-11, 1 + 3*0x1p-11, float32(math.Inf(-1)), 3.3895314e38}
	halves := opwright.ToSlice[opwright.Float16](opwright.FromSlice(wide).CastTo(opwright.Half))
	brains := opwright.ToSlice[opwright.BFloat16](opwright.FromSlice(wide).CastTo(opwright.BFloat))
	for i, v := range wide {
		if opwright.NewFloat16(v) != halves[i] || opwright.NewBFloat16(v) != brains[i] {
			t.Errorf("%v: %#x, but the library says %#x; %#x, but the library says %#x",
				v, opwright.NewFloat16(v), halves[i], opwright.NewBFloat16(v), brains[i])
		}
	}
}
