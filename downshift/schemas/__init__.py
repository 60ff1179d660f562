"""The shapes of files that people write or read, for the cold side: pydantic says where and why one is wrong."""
