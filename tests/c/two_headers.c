/* The headers of two libraries that have a type in common, whose struct has a tag of its own. */
#include <mo.h>
#include <other.h>

/* A value of one is a value of the other. */
static double width(other_interval of) { return of.hi - of.lo; }

int main(void) {
  const mo_interval within = {1.0, 3.0};
  const struct my_ops_interval same = within;
  return width(same) == 2.0 ? 0 : 1;
}
