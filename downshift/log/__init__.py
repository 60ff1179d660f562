"""What is written down: one writer, tolerant readers, and the joins between records."""
