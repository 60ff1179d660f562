"""Data files that ship with the package; read through `assets.data`."""
