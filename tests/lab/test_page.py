"""The element as it is built into a page."""

from lab.page import element, listed
from lab.registry import WIDGETS


def test_first_frame_and_sentence_are_in_the_page():
    html = element("dot-product", {"n": "4"}, "first")
    assert 'id="first"' in html
    assert 'data-key="n=4&amp;row=0&amp;column=0&amp;inputs=formula"' in html
    assert "k = 0: A[0,0] × B[0,0] = (-2) × (-1) = 2." in html
    assert "step 1 of 4" in html


def test_everything_that_can_be_done_has_a_control():
    html = element("tile-walk", {}, "walk")
    for act in ("first", "previous", "play", "next", "last", "slider", "stop", "copy", "download"):
        assert f'data-act="{act}"' in html
    for name in ("n", "tile", "i", "j", "inputs", "a", "b"):
        assert f'name="{name}"' in html
    assert 'data-ask="loads"' in html


def test_listed_keys_are_those_of_their_views_and_hold_the_default():
    for name, widget in WIDGETS.items():
        views = listed(name)
        assert len(views) == len(widget.listed)
        assert all(key == (view["key"] or key) for key, view in views.items())
        default = element(name, {}, "x").split('data-key="')[1].split('"')[0].replace("&amp;", "&")
        assert default in views or not default
