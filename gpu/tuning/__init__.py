"""Which rung and config is fastest for a shape: the search, and the table it wrote on one GPU."""
