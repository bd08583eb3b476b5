"""One module per collection: what exists, where, how it is fetched and named. The only network access."""
