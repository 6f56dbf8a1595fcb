OPW_EXPORT const char opw_key_1[] = OPW_KEY;

OPW_EXPORT const struct opw_table* opw_entry_1(const struct opw_host* host) {
  static const struct opw_table table = {opw_key_1, opw_create, opw_destroy, opw_run};
  static int begun;
  if (!begun) {
    /* Before it is done: it may let others run. */
    begun = 1;
    opw_the_host = host;
    if (opw_once()) return NULL;
  }
  return &table;
}
