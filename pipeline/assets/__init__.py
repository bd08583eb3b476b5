"""Dagster only: declarations and wiring. The work itself lives in the other sub-packages."""
