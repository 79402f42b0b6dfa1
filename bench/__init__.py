"""Speed and strength, each measured beside what it is compared with, in one run: `make bench`."""
