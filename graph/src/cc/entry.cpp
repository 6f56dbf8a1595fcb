/* What is thrown ends the call, not the process. */
template <typename F> static int opw_caught(F body) {
  try {
    return body();
  } catch (const std::exception& error) {
    if (!PyErr_Occurred()) PyErr_Format(PyExc_RuntimeError, "a C++ exception left the block: %s", error.what());
  } catch (...) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "a C++ exception left the block");
  }
  return -1;
}

static void opw_destroy(void* state) {
  struct opw_state* self = static_cast<struct opw_state*>(state);
  opw_caught([=] { self->opw_end(); return 0; });
  delete self;
}

static void* opw_create() {
  struct opw_state* self = new (std::nothrow) opw_state();
  if (!self) return PyErr_NoMemory();
  if (opw_caught([=] { return self->opw_begin(); })) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    opw_destroy(self);
    PyErr_Restore(type, value, trace);
    return nullptr;
  }
  return self;
}

static int opw_run(void* state, PyObject** storage, const struct opw_observer* observed) {
  struct opw_state* self = static_cast<struct opw_state*>(state);
  return opw_caught([=] { return self->opw_block(storage, observed); });
}
