"""The commands of ``ratings``, one module a group; each imports what it needs when it runs, so that help is fast."""
