/* Structs of a crate: those of numbers go by value, and of all others there are handles. */
#include <mo.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      failures++;                                                     \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                 \
  } while (0)

#define MO(call)                                                       \
  do {                                                                 \
    mo_error *error = (call);                                          \
    CHECK(!error);                                                     \
    if (error) fprintf(stderr, "%s: %s\n", error->op, error->message); \
    mo_error_free(error);                                              \
  } while (0)

/* The call fails with this kind and this message. */
#define REFUSED(call, expected, text)                                     \
  do {                                                                    \
    mo_error *error = (call);                                             \
    CHECK(error && error->kind == (expected));                            \
    CHECK(error && strcmp(error->message, (text)) == 0);                  \
    if (error && strcmp(error->message, (text)) != 0) puts(error->message); \
    mo_error_free(error);                                                 \
  } while (0)

static mo_tensor *tensor(double first, double second) {
  const double numbers[] = {first, second};
  const int64_t size = 2;
  mo_tensor *made = NULL;
  MO(mo_tensor_from_data(numbers, &size, 1, MO_FLOAT64, &made));
  return made;
}

static void structs_of_numbers_go_by_value(void) {
  const mo_interval both[] = {{1.0, 3.0}, {-2.0, 2.0}};
  double reach = 0.0;
  MO(mo_width(both[0], &reach));
  CHECK(reach == 2.0);
  mo_interval around = {0.0, 0.0};
  MO(mo_hull(both, 2, &around));
  CHECK(around.lo == -2.0 && around.hi == 3.0);
  MO(mo_hull(both, 2, NULL));
  REFUSED(mo_hull(NULL, 0, &around), MO_ERROR_VALUE, "hull(): no interval is around nothing");
  REFUSED(mo_hull(NULL, 2, &around), MO_ERROR_TYPE,
          "hull(): argument 'all' is NULL, expected a list");
  CHECK(around.lo == -2.0 && around.hi == 3.0);

  mo_tensor *x = tensor(0.0, 5.0), *within = NULL, *same = NULL;
  MO(mo_clip_to(x, &both[0], &within));
  MO(mo_clip_to(x, NULL, &same));
  double found[4] = {0};
  MO(mo_tensor_copy_to(within, found, 2 * sizeof *found));
  MO(mo_tensor_copy_to(same, found + 2, 2 * sizeof *found));
  CHECK(found[0] == 1.0 && found[1] == 3.0 && found[2] == 0.0 && found[3] == 5.0);
  mo_tensor_free(same);
  mo_tensor_free(within);
  mo_tensor_free(x);
}

static void values_are_made(void) {
  struct my_ops_interval made = {0.0, 0.0}; /* as the crate calls it, whatever the prefix */
  MO(mo_interval_new(1.0, 3.0, &made));
  mo_interval same = made;
  CHECK(same.lo == 1.0 && same.hi == 3.0);
  mo_band band = {false, {0.0, 0.0}, 0};
  MO(mo_band_new(true, made, 7, &band));
  CHECK(band.is_open && band.within.hi == 3.0 && band.steps == 7);

  struct spectrum *of = NULL;
  mo_spectrum *also = NULL;
  char *unit = NULL;
  MO(mo_spectrum_new("Hz", &of));
  also = of;
  MO(mo_spectrum_unit(also, &unit));
  CHECK(unit && strcmp(unit, "Hz") == 0);
  mo_string_free(unit);
  double loudest = 0.0;
  MO(mo_loudest(of, &loudest));
  CHECK(loudest == 3.0);
  mo_spectrum_free(of);
}

static void structs_consist_of_structs(void) {
  CHECK(sizeof(mo_band) == 32 && offsetof(mo_band, is_open) == 0);
  CHECK(offsetof(mo_band, within) == 8 && offsetof(mo_band, steps) == 24);
  const mo_band bands[] = {{true, {0.0, 1.0}, 7}, {false, {2.0, 3.0}, 0}};
  mo_band there = bands[1];
  MO(mo_shift_band(bands[0], 0.5, &there));
  CHECK(there.is_open && there.within.lo == 0.5 && there.within.hi == 1.5 && there.steps == 7);
  int64_t count = 0;
  MO(mo_count_bands(bands, 2, NULL, 0, &count));
  CHECK(count == 1);
  MO(mo_count_bands(NULL, 0, bands, 1, &count));
  CHECK(count == 1);
}

static void others_are_behind_handles(void) {
  const mo_interval within = {1.0, 3.0};
  mo_tensor *marks = tensor(1.0, 2.0), *found = NULL;
  mo_labelled *first = NULL, *second = NULL, *third = NULL;
  MO(mo_labelled_new(within, "a", marks, &first));
  MO(mo_relabel(first, "b", &second));
  MO(mo_with_label(within, "c", &third));
  int64_t times = 0;
  MO(mo_times_relabelled(second, &times));
  CHECK(times == 1);

  char *label = NULL;
  MO(mo_labelled_label(second, &label));
  CHECK(label && strcmp(label, "b") == 0);
  mo_string_free(label);
  mo_interval there = {0.0, 0.0};
  MO(mo_labelled_within(second, &there));
  CHECK(there.lo == 1.0 && there.hi == 3.0);
  MO(mo_labelled_marks(second, &found));
  CHECK(mo_tensor_is_same(found, marks));
  mo_tensor_free(found);
  MO(mo_labelled_marks(third, &found));
  CHECK(found == NULL);

  REFUSED(mo_relabel(NULL, "b", &second), MO_ERROR_TYPE,
          "relabel(): argument 'it' is NULL, expected a Labelled");
  REFUSED(mo_labelled_label(NULL, &label), MO_ERROR_TYPE,
          "labelled_label(): argument 'self' is NULL, expected a Labelled");
  REFUSED(mo_labelled_new(within, NULL, NULL, &first), MO_ERROR_TYPE,
          "labelled_new(): argument 'label' is NULL, expected a text");
  mo_labelled_free(third);
  mo_labelled_free(second);
  mo_labelled_free(first);
  mo_labelled_free(NULL);
  mo_tensor_free(marks);
}

static void fields_are_set(void) {
  mo_tensor *x = tensor(1.0, 2.0), *y = tensor(3.0, 4.0), *found = NULL;
  const mo_tensor *parts[] = {x, y};
  const double two = 2.0;
  mo_series *it = NULL;
  MO(mo_series_new(x, parts, 1, &two, NULL, NULL, &it));
  double scale = 0.0;
  bool is_given = false;
  MO(mo_series_scale(it, &scale, &is_given));
  CHECK(is_given && scale == 2.0);
  MO(mo_series_set_scale(it, NULL));
  MO(mo_series_scale(it, &scale, &is_given));
  CHECK(!is_given);

  mo_band band = {true, {0.0, 1.0}, 7};
  MO(mo_series_band(it, &band, &is_given));
  CHECK(!is_given && band.steps == 7);
  MO(mo_series_set_band(it, &band));
  band.steps = 0;
  MO(mo_series_band(it, &band, &is_given));
  CHECK(is_given && band.is_open && band.steps == 7);

  MO(mo_series_set_values(it, y));
  MO(mo_series_values(it, &found));
  CHECK(mo_tensor_is_same(found, y));
  mo_tensor_free(found);
  mo_tensor_list list = {NULL, 0};
  MO(mo_series_set_parts(it, parts, 2));
  MO(mo_series_parts(it, &list));
  CHECK(list.len == 2 && mo_tensor_is_same(list.data[1], y));
  mo_tensor_list_free(&list);

  mo_series2 *before = NULL, *same = NULL;
  MO(mo_series2_new(x, &before));
  MO(mo_series_set_before(it, before));
  MO(mo_series_before(it, &same));
  MO(mo_series2_values(same, &found));
  CHECK(mo_tensor_is_same(found, x));
  mo_tensor_free(found);

  const mo_series *all[] = {it, it};
  int64_t count = 0;
  MO(mo_count_values(all, 2, it, &count));
  CHECK(count == 6);
  all[1] = NULL;
  REFUSED(mo_count_values(all, 2, NULL, &count), MO_ERROR_TYPE,
          "count_values(): element 1 of argument 'all' is NULL or was freed, expected a Series");
  REFUSED(mo_series_set_values(it, NULL), MO_ERROR_TYPE,
          "series_set_values(): argument 'value' is NULL, expected a Tensor");
  REFUSED(mo_series_set_values(NULL, x), MO_ERROR_TYPE,
          "series_set_values(): argument 'self' is NULL, expected a Series");
  mo_series2_free(same);
  mo_series2_free(before);
  mo_series_free(it);
  mo_tensor_free(y);
  mo_tensor_free(x);
}

static void types_without_fields_are_handles(void) {
  mo_tensor *x = tensor(-3.0, 4.0), *steps = NULL;
  mo_quantizer *by = NULL;
  MO(mo_quantizer_of(x, 2, &by));
  MO(mo_quantize(x, by, &steps));
  double found[2] = {0};
  MO(mo_tensor_copy_to(steps, found, sizeof found));
  CHECK(found[0] == -4.0 && found[1] == 4.0);
  mo_nothing *nothing = NULL, *another = NULL;
  MO(mo_nothing_new(&nothing));
  MO(mo_nothing_new(&another));
  CHECK(nothing && another && nothing != another && mo_live_handles() == 5);
  mo_nothing_free(another);
  CHECK(mo_live_handles() == 4);
  mo_nothing_free(nothing);
  mo_tensor_free(steps);
  mo_quantizer_free(by);
  mo_tensor_free(x);
}

int main(void) {
  structs_of_numbers_go_by_value();
  values_are_made();
  structs_consist_of_structs();
  others_are_behind_handles();
  fields_are_set();
  types_without_fields_are_handles();
  CHECK(mo_live_handles() == 0);
  return failures > 0;
}
