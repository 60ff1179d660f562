"""Which models exist, how they rank and what they cost."""
