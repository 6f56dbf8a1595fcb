/* Writes files for Python, or reads what Python has written: files.py. */
#include <math.h>
#include <opwright.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;

static const char *path(const char *name) {
  static char text[4096];
  snprintf(text, sizeof text, "%s/%s", folder, name);
  return text;
}

static void ok(ow_error *error) {
  if (!error) return;
  fprintf(stderr, "%s\n", error->message);
  exit(EXIT_FAILURE);
}

static void check(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "not so: %s\n", what);
  exit(EXIT_FAILURE);
}

/* 0, 1, 2, ... of a dtype; column by column. */
static ow_tensor *counted(ow_dtype dtype) {
  ow_tensor *all = NULL, *as = NULL, *square = NULL, *turned = NULL;
  const int64_t sizes[] = {3, 2};
  ok(ow_arange(ow_scalar_int(6), OW_INT64, OW_LAYOUT_NONE, OW_DEVICE_NONE, NULL, &all));
  ok(ow_internal_to_copy(all, dtype, OW_LAYOUT_NONE, OW_DEVICE_NONE, NULL, false,
                         OW_MEMORY_FORMAT_NONE, &as));
  ok(ow_reshape(as, sizes, 2, &square));
  ok(ow_t(square, &turned));
  ow_tensor_free(all);
  ow_tensor_free(as);
  ow_tensor_free(square);
  return turned;
}

static void check_counted(const ow_tensor *found, ow_dtype dtype, const char *what) {
  ow_tensor *expected = counted(dtype);
  bool is_equal = false;
  check(ow_tensor_dtype(found) == dtype, what);
  ok(ow_equal(found, expected, &is_equal));
  check(is_equal, what);
  ow_tensor_free(expected);
}

static const ow_dtype NUMPYS[] = {OW_BOOL,    OW_UINT8,   OW_INT8,      OW_INT16,     OW_INT32,     OW_INT64,
                                  OW_FLOAT16, OW_FLOAT32, OW_FLOAT64, OW_COMPLEX64, OW_COMPLEX128};
enum { COUNT = sizeof NUMPYS / sizeof *NUMPYS };

static void write_all(void) {
  const char *names[COUNT];
  ow_tensor *tensors[COUNT];
  for (int at = 0; at < COUNT; at++) {
    char name[64];
    names[at] = ow_dtype_name(NUMPYS[at]);
    tensors[at] = counted(NUMPYS[at]);
    snprintf(name, sizeof name, "%s.npy", names[at]);
    ok(ow_tensor_save(tensors[at], path(name)));
  }
  ok(ow_tensors_save(names, (const ow_tensor *const *)tensors, COUNT, path("all.npz")));
  /* The other format has neither bytes for the last dtype. */
  ok(ow_tensors_save(names, (const ow_tensor *const *)tensors, COUNT - 1, path("all.safetensors")));
  ow_error *error =
      ow_tensors_save(names, (const ow_tensor *const *)tensors, COUNT, path("none.safetensors"));
  check(error && error->kind == OW_ERROR_TYPE, "a dtype without a name");
  ow_error_free(error);
  ow_tensors_free(tensors, COUNT);
}

static void check_list(const char *name, size_t count) {
  ow_named_tensor_list list = {NULL, 0};
  ok(ow_tensors_load(path(name), &list));
  check(list.len == count, name);
  for (size_t at = 0; at < count; at++) {
    check(strcmp(list.data[at].name, ow_dtype_name(NUMPYS[at])) == 0, list.data[at].name);
    check_counted(list.data[at].tensor, NUMPYS[at], list.data[at].name);
  }
  /* Whoever keeps one puts NULL in its place. */
  ow_tensor *kept = list.data[0].tensor;
  list.data[0].tensor = NULL;
  ow_named_tensor_list_free(&list);
  check(!list.data && list.len == 0, "an emptied list");
  ow_tensor_free(kept);
}

static void read_all(void) {
  for (int at = 0; at < COUNT; at++) {
    char name[64];
    ow_tensor *found = NULL;
    snprintf(name, sizeof name, "%s.npy", ow_dtype_name(NUMPYS[at]));
    ok(ow_tensor_load(path(name), &found));
    check_counted(found, NUMPYS[at], name);
    ow_tensor_free(found);
  }
  check_list("all.npz", COUNT);
  check_list("all.safetensors", COUNT - 1);
}

static void refuses(ow_error *error, ow_error_kind kind, const char *word) {
  check(error && error->kind == kind, word);
  check(strstr(error->message, word) != NULL, error->message);
  ow_error_free(error);
}

/* Files that are none. */
static void refuse_all(void) {
  ow_tensor *found = NULL;
  ow_named_tensor_list list = {NULL, 0};
  refuses(ow_tensor_load(path("missing.npy"), &found), OW_ERROR_RUNTIME, "missing.npy");
  refuses(ow_tensor_load(folder, &found), OW_ERROR_RUNTIME, folder);
  refuses(ow_tensor_load("/dev/zero", &found), OW_ERROR_RUNTIME, "is no file");
  refuses(ow_tensor_load(NULL, &found), OW_ERROR_TYPE, "'path' is NULL");
  refuses(ow_tensors_load(path("all.zip"), &list), OW_ERROR_VALUE, "all.zip");
  refuses(ow_tensors_load(path("compressed.npz"), &list), OW_ERROR_RUNTIME, "compressed");
  refuses(ow_tensor_load(path("objects.npy"), &found), OW_ERROR_RUNTIME, "objects.npy");
  refuses(ow_tensor_load(path("cut.npy"), &found), OW_ERROR_RUNTIME, "cut.npy");
  refuses(ow_tensors_load(path("cut.npz"), &list), OW_ERROR_RUNTIME, "cut.npz");
  refuses(ow_tensor_load(path("huge.npy"), &found), OW_ERROR_RUNTIME, "huge.npy");
  check(!found && !list.data, "nothing is written");
  ow_tensor *x = counted(OW_FLOAT32);
  refuses(ow_tensor_save(x, path("missing/x.npy")), OW_ERROR_RUNTIME, "missing/x.npy");
  ow_tensor_free(x);
}

static void bytes(void) {
  ow_tensor *x = counted(OW_FLOAT32), *y = NULL;
  uint8_t *data = NULL;
  size_t len = 0;
  ok(ow_tensor_to_bytes(x, &data, &len));
  check(len == 128 + 24 && memcmp(data, "\x93NUMPY", 6) == 0, "an image");
  ok(ow_tensor_from_bytes(data, len, &y));
  check_counted(y, OW_FLOAT32, "bytes");
  ow_tensor_free(y);
  refuses(ow_tensor_from_bytes(data, len - 1, &y), OW_ERROR_RUNTIME, "of which 23 are there");
  ow_bytes_free(data, len);
  ow_bytes_free(NULL, 0);
  ow_tensor_free(x);
}

int main(int count, char **arguments) {
  if (count != 3) return EXIT_FAILURE;
  const int64_t before = ow_live_handles();
  folder = arguments[2];
  if (strcmp(arguments[1], "write") == 0) {
    write_all();
    bytes();
  } else {
    read_all();
    refuse_all();
  }
  check(ow_live_handles() == before, "everything is freed");
  return EXIT_SUCCESS;
}
