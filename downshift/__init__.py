"""Downshift runs each subagent on the least model and effort that will do its task well."""

__version__ = "0.1.0"
