"""The classes of types, a noun a file; `opwright.types` is where people find them."""
