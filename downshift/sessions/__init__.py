"""Which models the running session can reach."""
