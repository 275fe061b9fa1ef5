"""The site beside what else runs Python in a page: stood up, measured in turn, and held against the goals."""
