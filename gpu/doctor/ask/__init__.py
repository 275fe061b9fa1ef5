"""The doctor's questions: each file is run by its path in a process of its own, and never imported."""
