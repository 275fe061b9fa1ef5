"""Where the site will live: `--base /lab/`, `--url https://host`, `--repository owner/name`."""

import re
from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True)
class Address:
    """`base` begins and ends with a slash; `url` is a scheme and host, or empty when it is not known.

    `repository` is `owner/name/blob/branch` of the GitHub repository that holds the notebooks, or empty.
    """

    base: str = "/"
    url: str = ""
    repository: str = ""

    @property
    def source(self) -> str:
        """The repository's own page, or empty."""
        return f"https://github.com/{self.repository.partition('/blob/')[0]}" if self.repository else ""

    def of(self, place: str, root: str = "") -> str:
        """The address of a place in the site for machines that read it elsewhere: absolute when the host is known.

        Else it is relative to a page from which ``root`` leads to the site's top.
        """
        place = "" if place == "index.html" else quote(place)
        return f"{self.url}{self.base}{place}" if self.url else f"{root}{place}" or "./"


def parse_base(text: str) -> str:
    """`lab`, `/lab` and `/lab/` give `/lab/`. Raises ValueError for anything but plain path parts."""
    parts = [part for part in text.split("/") if part]
    if not all(re.fullmatch(r"[A-Za-z0-9._~-]+", part) and part.strip(".") for part in parts):
        raise ValueError(f"{text!r} given; allowed: a path such as /lab/, of letters, digits and . _ ~ -")
    return "/" + "".join(f"{part}/" for part in parts)


def parse_url(text: str) -> str:
    """`https://host` or `https://host:port`, without a path. Raises ValueError for anything else."""
    if not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:\d+)?/?", text):
        wanted = "a scheme and a host, as in https://example.org (a path goes to --base)"
        raise ValueError(f"{text!r} given; allowed: {wanted}")
    return text.rstrip("/")


def parse_repository(text: str) -> str:
    """`owner/name` or `owner/name@branch` gives `owner/name/blob/branch`; the branch notebooks, when none is given.

    Raises ValueError for anything else.
    """
    found = re.fullmatch(r"([A-Za-z0-9-]+)/([A-Za-z0-9._-]+)(?:@([A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*))?", text)
    if not found or {"..", "."} & set(re.split(r"[/@]", text)):
        wanted = "owner/name or owner/name@branch, whose branch holds the notebooks in downloads/"
        raise ValueError(f"{text!r} given; allowed: {wanted}")
    return f"{found[1]}/{found[2]}/blob/{found[3] or 'notebooks'}"
