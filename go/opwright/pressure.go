package opwright

/*
#cgo noescape ow_live_bytes
#cgo nocallback ow_live_bytes
#include <opwright.h>
#ifdef __linux__
#include <malloc.h>
#endif

// Gives memory that is free back to the system, if there is much. With many threads glibc keeps
// some for each.
static void trim(size_t floor) {
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
  if (mallinfo2().fordblks > floor) malloc_trim(0);
#endif
#endif
  (void)floor;
}
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
	queued  uint64       // cleanups at the last collection; 0: they have run
	needed  int64        // handles that it found to be in use
}{}

// perHandle is what a handle holds besides the storage of its tensor, roughly.
const perHandle = 1024

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
	collect()
	settle(time.Minute)
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
	// As long as cleanups of the last collection have not run, another one would find nothing.
	if settle(patience) && held()-pressure.base.Load() > pressure.allowed.Load() {
		collect()
		settle(patience)
		C.trim(C.size_t(pressure.allowed.Load()))
	}
}

func rebase(now int64) {
	pressure.base.Store(now)
	pressure.allowed.Store(max(pressure.floor.Load(), now/100*growth()))
}

func collect() {
	runtime.GC()
	handles := pressure.handles.Load()
	queued, executed := cleanups()
	pressure.queued, pressure.needed = queued, max(handles-int64(queued-executed), 0)
}

// settle waits for the cleanups that the last collection has queued, for at most so long, and says
// whether all have run.
func settle(patience time.Duration) bool {
	if pressure.queued == 0 {
		return true
	}
	end := time.Now().Add(patience)
	for pause := 20 * time.Microsecond; ; pause = min(2*pause, time.Millisecond) {
		if _, executed := cleanups(); executed >= pressure.queued {
			pressure.queued = 0
			rebase(min(held(), int64(C.ow_live_bytes())+perHandle*pressure.needed))
			return true
		}
		if time.Now().After(end) {
			return false
		}
		time.Sleep(pause)
	}
}

// cleanups says how many were queued, and how many have run. Go 1.24 has no metrics of them: there
// it is seen from the number of handles.
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
		return 1, 1
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
