"""Compiled functions, behind `opwright.jit` and `opwright.extending`."""
