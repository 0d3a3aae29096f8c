"""What is tried where there is no proof: simpler and simpler loops, and then an honest no."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from loopwright import Lost, optimize, proving
from loopwright.fates import Unproved
from loopwright.model.proofs import Unknown, Verdict
from loopwright.verify.read_back import Claim, read_back

PRODUCT = """
void product(int n, double C[n][n], double A[n][n], double B[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
#pragma endscop
}
"""
ADDED = """
void added(int n, double C[n][n], double A[n][n], double B[n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[j][k];
#pragma endscop
}
"""


Refusing = Callable[[int], list[str]]


@pytest.fixture(name="refusing")
def patched(monkeypatch: pytest.MonkeyPatch) -> Refusing:
    """A checker that refuses so many texts; the list is of those that it gets."""

    def refuse(count: int) -> list[str]:
        texts: list[str] = []

        def judge(claim: Claim, *others: Any) -> Verdict:
            place = claim.alignment.places[claim.number]
            text = claim.alignment.after.text[place.start : place.end].decode()
            texts.append(" ".join(text.split()))
            refused = Unknown("nobody believes it")
            return refused if len(texts) <= count else read_back(claim, *others)

        monkeypatch.setattr(proving, "read_back", judge)
        return texts

    return refuse


def test_first_go_the_copies_of_statements_and_then_those_of_values(refusing: Refusing) -> None:
    texts = refusing(2)
    result = optimize(PRODUCT)
    blocks, rows, plain = texts
    assert "double s_copies[6][128]" in blocks
    assert "double s_copies[6][128]" in rows
    assert rows.count("A[") < blocks.count("A[") / 2
    assert "s_copies" not in plain
    assert "#pragma omp parallel for" in plain
    assert plain in " ".join(result.code.split())
    assert result.proof != (None,)


def test_buffers_go_next_and_the_new_order_last(refusing: Refusing) -> None:
    texts = refusing(4)
    result = optimize(ADDED)
    blocks, rows, one, unpacked, ordered = texts
    # The original stands beside the new loops.
    assert blocks.count("A[") > rows.count("A[") > one.count("A[") == 2
    assert all("B_tile[" in each for each in (blocks, rows, one))
    assert "B_tile[" not in unpacked
    assert unpacked.count("for (") == 6 + 3
    assert ordered.count("for (") == 3 + 3
    assert ordered in " ".join(result.code.split())
    assert result.proof != (None,)


@pytest.mark.parametrize("source", [PRODUCT, ADDED], ids=["copies", "buffers"])
def test_in_the_end_the_answer_is_no_and_no_text_was_judged_twice(
    source: str, refusing: Refusing
) -> None:
    texts = refusing(100)
    (region,) = optimize(source).regions
    assert isinstance(region, Unproved)
    assert "nobody believes it" in region.reason
    assert [each.why.reason for each in region.tried] == ["nobody believes it"] * len(texts)
    assert len(set(texts)) == len(texts) > 2
    with pytest.raises(Lost, match=r"LW901: a version expected to be .* nobody believes it"):
        optimize(source, strict=True)
