"""Asking each harness which models it has. Only when a person asks: `downshift models discover`."""
