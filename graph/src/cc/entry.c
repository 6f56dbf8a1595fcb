static void opw_destroy(void* state) {
  opw_end((struct opw_state*)state);
  free(state);
}

static void* opw_create(void) {
  struct opw_state* self = (struct opw_state*)calloc(1, sizeof(struct opw_state));
  if (!self) return PyErr_NoMemory();
  if (opw_begin(self)) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    opw_destroy(self);
    PyErr_Restore(type, value, trace);
    return NULL;
  }
  return self;
}

static int opw_run(void* state, PyObject** storage, const struct opw_observer* observed) {
  return opw_block((struct opw_state*)state, storage, observed);
}
