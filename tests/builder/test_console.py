"""A terminal session on a page: what is typed is told apart from what comes back."""

from builder.console import commands, session_html

SESSION = "$ cd lab\n$ python -c \"print(1 < 2)\" && echo 'a & b'\nTrue\na & b\n"


def test_only_what_is_typed_is_copied():
    assert commands(SESSION) == ["cd lab", "python -c \"print(1 < 2)\" && echo 'a & b'"]
    html = session_html(SESSION)
    assert 'data-copy="cd lab\npython -c &#34;print(1 &lt; 2)&#34; &amp;&amp; echo &#39;a &amp; b&#39;"' in html
    assert 'data-act="copy" aria-label="Copy the commands cd lab">Copy the commands</button>' in html


def test_prompts_and_output_are_marked_as_such():
    html = session_html("$ ls\nsim\n")
    assert '<span class="gp">$ </span>' in html
    assert '<span class="go">sim</span>' in html
    assert 'aria-label="Copy the command ls">Copy the command</button>' in html


def test_output_alone_has_no_button():
    assert "button" not in session_html("True\n")


def test_a_page_s_console_fence_is_a_session(author):
    author.chapter("```console\n$ python opening.py\nRunning on cpu\n```\n")
    assert '<figure class="code session" data-copy="python opening.py">' in author.page("one.html")
