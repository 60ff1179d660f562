"""What harnesses run, many times a day: standard library only, exit 0 whatever happens."""
