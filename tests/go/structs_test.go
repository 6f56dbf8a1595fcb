// Structs of a crate: those of numbers are structs, all others are behind handles.
package my_ops_test

import (
	"errors"
	"testing"

	"example.org/for_go/my_ops"
)

// refused calls f, which fails with this kind and message.
func refused(t *testing.T, kind my_ops.ErrorKind, message string, f func()) {
	t.Helper()
	if err := my_ops.Do(f); !errors.Is(err, kind) || err.Error() != message {
		t.Errorf("%v, expected: %s", err, message)
	}
}

func TestStructsOfNumbersGoByValue(t *testing.T) {
	both := []my_ops.Interval{{Lo: 1, Hi: 3}, {Lo: -2, Hi: 2}}
	if reach := my_ops.Width(both[0]); reach != 2 {
		t.Error(reach)
	}
	if around := my_ops.Hull(both); around != (my_ops.Interval{Lo: -2, Hi: 3}) {
		t.Error(around)
	}
	refused(t, my_ops.ErrValue, "hull(): no interval is around nothing", func() { my_ops.Hull(nil) })
	x := my_ops.FromSlice([]float64{0, 5})
	within := my_ops.ToSlice[float64](my_ops.ClipTo(x, my_ops.ClipToOpts{Within: &both[0]}))
	same := my_ops.ToSlice[float64](my_ops.ClipTo(x))
	if within[0] != 1 || within[1] != 3 || same[0] != 0 || same[1] != 5 {
		t.Error(within, same)
	}
}

func TestStructsConsistOfStructs(t *testing.T) {
	bands := []my_ops.Band{
		{IsOpen: true, Within: my_ops.Interval{Lo: 0, Hi: 1}, Steps: 7},
		{Within: my_ops.Interval{Lo: 2, Hi: 3}},
	}
	there := my_ops.ShiftBand(bands[0], 0.5)
	if there != (my_ops.Band{IsOpen: true, Within: my_ops.Interval{Lo: 0.5, Hi: 1.5}, Steps: 7}) {
		t.Error(there)
	}
	if count := my_ops.CountBands(bands); count != 1 {
		t.Error(count)
	}
	if count := my_ops.CountBands(nil, my_ops.CountBandsOpts{More: bands[:1]}); count != 1 {
		t.Error(count)
	}
}

func TestOthersAreBehindHandles(t *testing.T) {
	within := my_ops.Interval{Lo: 1, Hi: 3}
	marks := my_ops.FromSlice([]float64{1, 2})
	second := my_ops.Relabel(my_ops.NewLabelled(within, "a", marks), "b")
	if times := my_ops.TimesRelabelled(second); times != 1 {
		t.Error(times)
	}
	if second.Label() != "b" || second.Within() != within || !second.Marks().SameAs(marks) {
		t.Error(second.Label(), second.Within())
	}
	third := my_ops.WithLabel(within, "c")
	if third.Marks().Defined() {
		t.Error("nothing is marked")
	}
	refused(t, my_ops.ErrType, "relabel(): argument 'it' is NULL, expected a Labelled",
		func() { my_ops.Relabel(nil, "b") })
	refused(t, my_ops.ErrType, "labelled_label(): argument 'self' is NULL, expected a Labelled",
		func() { (*my_ops.Labelled)(nil).Label() })
	third.Close()
	third.Close()
	(*my_ops.Labelled)(nil).Close()
	refused(t, my_ops.ErrValue, "labelled_label(): argument 'self': the Labelled was closed",
		func() { third.Label() })
}

func TestFieldsAreSet(t *testing.T) {
	x, y := my_ops.FromSlice([]float64{1, 2}), my_ops.FromSlice([]float64{3, 4})
	series := my_ops.NewSeries(x, []my_ops.Tensor{x, y}, my_ops.Ptr(2.0), nil, nil)
	if scale := series.Scale(); scale == nil || *scale != 2 {
		t.Error(scale)
	}
	series.SetScale(nil)
	if series.Scale() != nil || series.Band() != nil || series.Before() != nil {
		t.Error("nothing is said")
	}
	band := my_ops.Band{IsOpen: true, Within: my_ops.Interval{Hi: 1}, Steps: 7}
	series.SetBand(&band)
	if found := series.Band(); found == nil || *found != band {
		t.Error(found)
	}
	series.SetValues(y)
	series.SetParts([]my_ops.Tensor{y})
	if parts := series.Parts(); !series.Values().SameAs(y) || len(parts) != 1 || !parts[0].SameAs(y) {
		t.Error(parts)
	}
	series.SetBefore(my_ops.NewSeries2(x))
	if !series.Before().Values().SameAs(x) {
		t.Error("it was said what was before")
	}
	all := []*my_ops.Series{series, series}
	if count := my_ops.CountValues(all, my_ops.CountValuesOpts{Last: series}); count != 6 {
		t.Error(count)
	}
	all[1] = nil
	refused(t, my_ops.ErrType,
		"count_values(): element 1 of argument 'all' is NULL or was freed, expected a Series",
		func() { my_ops.CountValues(all) })
}

func TestHandlesAreCollected(t *testing.T) {
	my_ops.GC()
	before := my_ops.LiveHandles()
	x := my_ops.FromSlice([]float64{-3, 4})
	for range 1000 {
		my_ops.Quantize(x, my_ops.QuantizeOpts{By: my_ops.QuantizerOf(x, my_ops.QuantizerOfOpts{Steps: my_ops.Ptr(int64(2))})})
		my_ops.NewNothing()
	}
	x.Close()
	my_ops.GC()
	if after := my_ops.LiveHandles(); after > before {
		t.Errorf("%d handles before, %d after", before, after)
	}
}
