"""One module per collection: what exists, where it is, how it is fetched and named. The only network access."""
