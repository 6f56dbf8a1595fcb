package goroutine

import (
	"runtime"
	"sync"
	"testing"
)

func TestRunningGoroutinesDiffer(t *testing.T) {
	if !IsKnown {
		t.Skip("not run: Go does not say here which goroutine calls")
	}
	const count = 100
	ids := make([]uint64, count)
	var made, done sync.WaitGroup
	made.Add(count)
	for i := range ids {
		done.Add(1)
		go func() {
			defer done.Done()
			ids[i] = ID()
			made.Done()
			// All run at the same time, and some on other threads than before.
			made.Wait()
			runtime.Gosched()
			if deep(1000) != ids[i] {
				t.Error("a goroutine has become another one")
			}
		}()
	}
	done.Wait()
	seen := map[uint64]bool{ID(): true}
	for _, id := range ids {
		if id == 0 || seen[id] {
			t.Fatalf("%#x is none, or that of two goroutines", id)
		}
		seen[id] = true
	}
}

// deep asks from so deep that the stack has to grow.
func deep(depth int) uint64 {
	var room [64]byte
	if depth == 0 {
		return ID()
	}
	id := deep(depth - 1)
	runtime.KeepAlive(&room)
	return id
}
