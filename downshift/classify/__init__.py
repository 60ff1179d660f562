"""How hard is this task? Text in, a `Classification` out; no files, no clock, no network."""
