package opwright

/*
#cgo noescape ow_live_bytes
#cgo nocallback ow_live_bytes
#include <opwright.h>
*/
import "C"

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// Go's collector sees some bytes of a tensor, whatever the library holds for it. So the package
// counts what the library holds, and has the collector run when that has grown enough.
var pressure = struct {
	handles atomic.Int64 // that are left to the collector
	floor   atomic.Int64 // how much may be added before a collection; 0: there is none
	base    atomic.Int64 // what was held after the last collection
	allowed atomic.Int64 // how much may be added to that
	running sync.Mutex   // held by the one that collects
}{}

// perHandle is what a handle holds besides the storage of its tensor, roughly.
const perHandle = 512

// patience is how long a call waits for the cleanups that it queued.
const patience = 10 * time.Millisecond

func init() { SetPressure(64 << 20) }

// SetPressure says how many bytes of tensors may be added at least before the collector is made to
// run: 64 MiB, unless this is called. 0 leaves the collector to itself. When tensors hold more
// than this already, as much may be added as GOGC allows.
func SetPressure(bytes int64) {
	pressure.floor.Store(max(bytes, 0))
	rebase(held())
}

// GC runs the collector and waits until the cleanups that it queued have run, so that all tensors
// which nothing refers to any more are freed.
func GC() {
	pressure.running.Lock()
	defer pressure.running.Unlock()
	collect(time.Minute)
	rebase(held())
}

// FinishGC is [GC].
func FinishGC() { GC() }

// held is what the library holds, in bytes.
func held() int64 {
	return int64(C.ow_live_bytes()) + perHandle*pressure.handles.Load()
}

// adopted is called for each handle that is left to the collector.
func adopted() {
	pressure.handles.Add(1)
	if pressure.floor.Load() == 0 {
		return
	}
	now, base := held(), pressure.base.Load()
	if now < base {
		rebase(now)
		return
	}
	if allowed := pressure.allowed.Load(); now-base > allowed {
		relieve(now-base > 2*allowed)
	}
}

// released is called for each that is closed or collected.
func released() { pressure.handles.Add(-1) }

// relieve runs the collector, unless somebody does already; then it waits for that one, or not.
func relieve(waits bool) {
	if !pressure.running.TryLock() {
		if waits {
			pressure.running.Lock()
			pressure.running.Unlock()
		}
		return
	}
	defer pressure.running.Unlock()
	collect(patience)
	rebase(held())
}

func rebase(now int64) {
	pressure.base.Store(now)
	pressure.allowed.Store(max(pressure.floor.Load(), now/100*growth()))
}

// collect runs the collector, and waits for the cleanups for at most so long.
func collect(patience time.Duration) {
	runtime.GC()
	end := time.Now().Add(patience)
	queued, _ := cleanups()
	for pause := 20 * time.Microsecond; ; pause = min(2*pause, time.Millisecond) {
		if _, executed := cleanups(); executed >= queued || time.Now().After(end) {
			return
		}
		time.Sleep(pause)
	}
}

// cleanups says how many were queued and how many have run; without metrics of them, in Go 1.24,
// how many handles are not yet released.
func cleanups() (queued, executed uint64) {
	samples := []metrics.Sample{
		{Name: "/gc/cleanups/queued:cleanups"},
		{Name: "/gc/cleanups/executed:cleanups"},
	}
	metrics.Read(samples)
	if samples[0].Value.Kind() != metrics.KindUint64 || samples[1].Value.Kind() != metrics.KindUint64 {
		return settled()
	}
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}

// settled takes it that all have run when the number of handles stays the same for a while.
func settled() (queued, executed uint64) {
	before := pressure.handles.Load()
	time.Sleep(time.Millisecond)
	if pressure.handles.Load() == before {
		return 0, 0
	}
	return 1, 0
}

// growth is GOGC: how much may be added to 100 bytes.
func growth() int64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 100
	}
	percent := sample[0].Value.Uint64()
	if percent > 1000 { // it is off, or as good as that
		return 100
	}
	return int64(percent)
}
