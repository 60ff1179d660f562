"""The rules, without input or output: nothing in here opens a file, reads a clock or knows a harness."""
