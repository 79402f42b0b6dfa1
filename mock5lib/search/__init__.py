"""Search: `uct` knows the rules alone, `puct` asks an expert. Both answer with a `SearchResult`."""
