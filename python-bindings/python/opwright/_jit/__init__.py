"""What compiled functions are made with in Python; `opwright.extending` is where people find it."""
