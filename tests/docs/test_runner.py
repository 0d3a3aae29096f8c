"""The page runner: right pages pass, wrong pages fail and say where."""

from pathlib import Path

import pytest

from tests.docs.pages import PageError, blocks_of, check_page, run_page, with_real_output


@pytest.fixture
def check(tmp_path: Path):
    def check_text(text: str) -> None:
        page = tmp_path / "page.md"
        page.write_text(text)
        folder = tmp_path / "work"
        folder.mkdir()
        check_page(page, folder)

    return check_text


RIGHT = {
    "prose": "Nothing to run.\n",
    "output": "```console\n$ echo one; echo two\none\ntwo\n```\n",
    "indented output": "```console\n$ printf 'a\\n  b\\n'\na\n  b\n```\n",
    "no output": "```console\n$ true\n```\n",
    "several commands": "```console\n$ echo 1\n1\n$ echo 2\n2\n```\n",
    "standard error": "```console\n$ echo oops >&2\noops\n```\n",
    "continued line": "```console\n$ echo one \\\n    two\none two\n```\n",
    "exit status": "```console\n$ echo no; exit 2\nno\n[exit 2]\n```\n",
    "ellipsis in the middle": "```console\n$ seq 9\n1\n...\n9\n```\n",
    "ellipsis for nothing": "```console\n$ seq 2\n1\n...\n2\n```\n",
    "blank line of output": "```console\n$ printf 'a\\n\\nb\\n'\na\n\nb\n```\n",
    "pattern characters": "```console\n$ echo '[n] -> { S[i*i] }.'\n[n] -> { S[i*i] }.\n```\n",
    "file": '```c title="a/k.c"\nint x;\n```\n```console\n$ cat a/k.c\nint x;\n```\n',
    "indented": "- item\n\n    ```console\n    $ printf 'a\\n  b\\n'\n    a\n      b\n    ```\n",
    "nested fence": "````text\n```console\n$ false\n```\n````\n",
    "other languages": "```sh\nexit 1\n```\n\n```\n$ false\n```\n",
    "script": "```python\nx = 1\n```\n```python\nassert x == 1\n```\n",
    "doctest": "```python\n>>> x = 2\n>>> x\n2\n```\n```python\nassert x == 2\n```\n",
    "python sees files": '```c title="k.c"\nint x;\n```\n```python\nwith open("k.c"): pass\n```\n',
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_right_page_passes(check, text: str) -> None:
    check(text)


WRONG = {
    "other output": "```console\n$ echo one\ntwo\n```\n",
    "missing output": "```console\n$ echo one\n```\n",
    "too much output": "```console\n$ true\none\n```\n",
    "prefix only": "```console\n$ seq 3\n1\n2\n```\n",
    "wrong after ellipsis": "```console\n$ seq 9\n...\n8\n```\n",
    "dot is a dot": "```console\n$ echo axb\na.b\n```\n",
    "unexpected failure": "```console\n$ exit 1\n```\n",
    "wrong exit status": "```console\n$ exit 1\n[exit 2]\n```\n",
    "unexpected success": "```console\n$ true\n[exit 2]\n```\n",
    "ellipsis hides no status": "```console\n$ echo a; exit 1\n...\na\n```\n",
    "unknown command": "```console\n$ no-such-command-here\n```\n",
    "second command": "```console\n$ true\n$ false\n```\n",
    "no prompt": "```console\nloopwright\n```\n",
    "never closed": "```console\n$ true\n",
    "doctest": "```python\n>>> 1 + 1\n3\n```\n",
    "script": "```python\nassert False\n```\n",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_wrong_page_fails(check, text: str) -> None:
    with pytest.raises(AssertionError):
        check(text)


def test_complaint_names_the_line_and_the_difference(check) -> None:
    with pytest.raises(PageError) as complaint:
        check("A page.\n\n```console\n$ echo one\ntwo\n```\n")
    assert "page.md:5: $ echo one" in str(complaint.value)
    assert "\n-two\n+one" in str(complaint.value)


def test_title_and_language_are_read() -> None:
    (block,) = blocks_of('Text.\n```c title="k.c" linenums="1"\nint x;\n```\n')
    assert (block.language, block.title, block.text, block.line) == ("c", "k.c", "int x;\n", 3)


def test_writing_puts_in_the_real_output(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ seq 2\nold\n$ seq 3\n1\n...\n$ false\n```\nEnd.\n")
    folder = tmp_path / "work"
    folder.mkdir()
    written = with_real_output(page.read_text(), run_page(page, folder))
    assert written == "```console\n$ seq 2\n1\n2\n$ seq 3\n1\n...\n$ false\n[exit 1]\n```\nEnd.\n"
