"""The static site: theme, one module a page (frame -> chart), builder and templates. Reads published marts only."""
