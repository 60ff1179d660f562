"""What people run: one module for each command, standard library only, nothing printed here."""
