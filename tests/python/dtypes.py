"""The dtypes, by category: the only list of them that the tests have."""

INTEGERS = ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]

# What has an order, and what numpy has as well.
ORDERED = ["bool", *INTEGERS, *FLOATS]
ALL = [*ORDERED, *COMPLEX]

# And what only we have.
DTYPES = [*ALL, "bfloat16"]
