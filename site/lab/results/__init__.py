"""What pages of measured results need besides the core: stored results, a reader's files, plots with two axes."""
