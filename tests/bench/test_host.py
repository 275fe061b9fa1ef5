"""The benchmark's host: what a browser takes, and what is counted."""

from urllib.request import Request, urlopen

import pytest

from bench.peers.host import PROBE_PATH, START_PATH, Answer, File, hosted

TEXT = File({"Content-Type": "text/plain", "Cache-Control": "no-cache"}, {"": b"x" * 9, "br": b"b", "gzip": b"gg"})


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("gzip;q=1.0, br;q=0.5", "br"),
        ("", ""),
        ("zstd", ""),
    ],
)
def test_the_shortest_body_that_a_browser_takes_is_sent(accepted, encoding):
    assert TEXT.encoding(accepted) == encoding


def test_every_answer_is_counted_with_its_headers_and_a_second_visit_has_no_body():
    with hosted({"/a.txt": TEXT}) as host:
        with urlopen(Request(host.address + "/a.txt", headers={"Accept-Encoding": "gzip"})) as first:
            body, tag = first.read(), first.headers["ETag"]
        with pytest.raises(Exception, match="304"):
            urlopen(Request(host.address + "/a.txt", headers={"Accept-Encoding": "gzip", "If-None-Match": tag}))

        sent = [(answer.path, answer.status, answer.body) for answer in host.answers]

    assert body == b"gg"
    assert sent == [("/a.txt", 200, 2), ("/a.txt", 304, 0)]
    assert all(isinstance(answer, Answer) and answer.head > 50 for answer in host.answers)


def test_where_an_engine_starts_and_what_the_measuring_asks_for_is_not_counted():
    with hosted({"/a.txt": TEXT}, "probe()") as host:
        with urlopen(f"{host.address}{START_PATH}?/a.txt") as start:
            page = start.read().decode()
        with urlopen(host.address + PROBE_PATH) as script:
            assert script.read() == b"probe()"

        assert "location.replace(location.search.slice(1))" in page
        assert host.answers == []
