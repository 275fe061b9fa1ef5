"""GPU Lab's tests: `python3 -m tests` runs every one of them."""
