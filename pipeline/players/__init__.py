"""Identity: which entries of different lists and publishers belong to one person, by which method, how surely."""
