"""Scripts behind the Makefile: install, execute notebooks, write exercises, stamp the repository's address."""
