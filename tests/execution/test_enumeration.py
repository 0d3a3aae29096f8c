"""The fast enumeration finds the same points as isl does, one by one."""

from __future__ import annotations

import islpy as isl
import numpy as np
import pytest

from .enumeration import image_of, points_of, with_parameters

SETS = [
    "[n] -> { S[] : n > 3 }",
    "[n] -> { S[] : n < 3 }",
    "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i and (i + j) mod 3 = 1 }",
    "[n] -> { S[i, j, k] : 0 <= i < n and exists e : j = 2e + i mod 3 and 0 <= j <= i and "
    "(k = i - floor(j / 3) or (k >= j and k < n and (k + i) mod 4 = 1)) }",
    "[n] -> { S[i] : exists e : i = 18446744073709551616 e + 5 and 0 <= i < 10 }",
    "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 4294967296 and (i - j - 1) mod 4294967296 = 0 }",
    "[n] -> { S[i, j, k] : 0 <= i < 4n and (j = 3i + 1 and k mod 4 = 3 and 0 <= k < 5n or "
    "exists e : k = 7e and j - i = 2e and 0 <= e <= i) }",
]


@pytest.mark.parametrize("text", SETS)
def test_points(text: str) -> None:
    points = isl.Set(text)
    expected: list[list[int]] = []
    rank = points.dim(isl.dim_type.set)

    def collect(point: isl.Point) -> None:
        values = [point.get_coordinate_val(isl.dim_type.set, d).to_python() for d in range(rank)]
        expected.append(values)

    points.intersect_params(with_parameters({"n": 9})).foreach_point(collect)
    assert points_of(points, {"n": 9}).tolist() == sorted(expected)


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("{ S[i] -> A[floor((i - 3) / 2)] }", [(0, -1), (1, 0)]),
        ("{ S[i] -> A[(i - 3) mod 4294967296] }", [(0, 4294967295), (1, 1)]),
        ("{ S[i] -> A[x] : i <= x <= 4 and x mod 2 = 0 }", [(0, 2), (0, 4), (1, 4)]),
        ("{ S[i] -> A[i] : i > 2; S[i] -> A[0] : i <= 2 }", [(0, 0), (1, 4)]),
        ("{ S[i] -> A[i] : 1 = 0 }", []),
    ],
)
def test_images(relation: str, expected: list[tuple[int, int]]) -> None:
    owners, elements = image_of(isl.Map(relation), np.array([[2], [4]]), {})
    assert sorted(zip(owners.tolist(), elements[:, 0].tolist(), strict=True)) == expected
