"""Events in, text and JSON out; nothing here touches a file."""
