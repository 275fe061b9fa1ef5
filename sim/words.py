"""Counts as words of a sentence."""


def counted(count: int, singular: str, plural: str = "") -> str:
    """``1 row``, ``2 rows``; ``plural`` where it is not the singular with an s."""
    return f"{count} {singular if count == 1 else plural or singular + 's'}"
