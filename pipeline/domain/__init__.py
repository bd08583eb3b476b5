"""Values and rules of the rating world: pure functions and constants, no I/O, no other sub-package."""
