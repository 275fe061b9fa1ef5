"""The programs that a reader takes away, run as a reader runs them."""
