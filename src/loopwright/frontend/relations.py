"""From recorded accesses to access relations, once the whole region has been seen.

Only then are the shapes of the arrays settled: delinearisation looks at all references to an
array, and an unknown function reaches every part of a struct that anybody names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import islpy as isl

from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.arrays import ArrayDraft, ArrayTable
from loopwright.frontend.c_tree import Variable
from loopwright.frontend.delinearize import (
    Chain,
    ever_out_of_range,
    out_of_range,
    row_by_row,
    size_chain,
)
from loopwright.frontend.leaving import Subscripted
from loopwright.frontend.polynomials import EVERY, Polynomial, affine_polynomial, whole_rows
from loopwright.frontend.recorder import RawAccess
from loopwright.frontend.workshop import LARGEST_CONTEXT, Workshop
from loopwright.model.bodies import Body
from loopwright.model.scop import Access, Array, Statement, last_ranked
from loopwright.polyhedra.instances import element_relation, element_set, instance_set
from loopwright.polyhedra.limits import is_simple, simple_negation, simplified
from loopwright.polyhedra.values import constant, never, without


@record(eq=False)
class RawStatement:
    """A statement whose accesses are not relations yet."""

    name: str
    label: str | None
    iterators: tuple[str, ...]
    condition: isl.Set
    accesses: tuple[RawAccess, ...]
    body: Body
    is_dynamic: bool
    span: Span

    @property
    def domain(self) -> isl.Set:
        """The instances."""
        return instance_set(self.condition, self.name, self.iterators)


@dataclass(slots=True)
class Relations:
    """Turns the raw statements of a region into statements."""

    workshop: Workshop
    arrays: ArrayTable
    chains: dict[str, Chain] = field(default_factory=dict[str, Chain])

    def statements(self, raw: Sequence[RawStatement]) -> tuple[Statement, ...]:
        """The statements with their access relations."""
        expanded = [replace(each, accesses=tuple(self._expanded(each.accesses))) for each in raw]
        self._settle_shapes(expanded)
        return tuple(self._statement(each) for each in expanded)

    # --- vague accesses ----------------------------------------------------------------------

    def _expanded(self, accesses: Iterable[RawAccess]) -> Iterator[RawAccess]:
        """An access to "anything within reach" becomes one to each array that is."""
        for access in accesses:
            if access.draft is not None:
                yield access
                continue
            for draft in self.arrays.drafts.values():
                if self._is_reached(draft.variable, access.root):
                    yield replace(access, draft=draft, indices=(None,) * len(draft.extents))

    def _is_reached(self, variable: Variable | None, root: Variable | None) -> bool:
        if variable is None:
            return False
        if root is not None:
            return variable is root
        return variable.is_global or variable in self.workshop.facts.escaped

    # --- shapes ------------------------------------------------------------------------------

    def _settle_shapes(self, statements: Sequence[RawStatement]) -> None:
        by_array: dict[str, list[tuple[RawStatement, RawAccess]]] = {}
        for statement in statements:
            for access in statement.accesses:
                assert access.draft is not None
                if access.draft.may_be_linearised and access.indices:
                    by_array.setdefault(access.draft.name, []).append((statement, access))
        for references in by_array.values():
            known = [each for each in references if _polynomial(each[1]) is not None]
            polynomials = [each for _, access in known if (each := _polynomial(access)) is not None]
            products = [each for each in polynomials if each.affine is None]
            chain = size_chain(polynomials) if products else None
            if chain is not None:
                self._delinearize(known, chain, is_shared=len(products) < len(references))

    def _delinearize(
        self, references: list[tuple[RawStatement, RawAccess]], chain: Chain, *, is_shared: bool
    ) -> None:
        """Give the array the chain's dimensions, if some parameter values allow it.

        ``is_shared`` with references that do not show the dimensions: they need rows that exist.
        """
        draft = references[0][1].draft
        assert draft is not None
        flat = never()
        for size in chain.sizes if is_shared else ():
            flat = flat | size.le_set(constant(0))
        bad = simplified(flat | self._leaving(references, chain), isl.Set.coalesce)
        good = simple_negation(bad) if is_simple(bad, LARGEST_CONTEXT) else None
        if good is None or any(
            (access.possible & good & self.workshop.context).is_empty() for _, access in references
        ):
            return  # nothing that is written in the program would ever run
        reason = f"{draft.name} has rows of {' by '.join(map(_size_text, chain.sizes))} elements"
        if self.workshop.exclude_if_simple(bad, reason, references[0][1].span):
            self.chains[draft.name] = chain
            draft.extents = (*draft.extents[:-1], None, *chain.sizes)
            at = last_ranked(draft.parts)
            flat = replace(draft.parts[at], rank=1 + len(chain.sizes))
            draft.parts = (*draft.parts[:at], flat, *draft.parts[at + 1 :])
            draft.is_flat = True

    def _leaving(self, references: list[tuple[RawStatement, RawAccess]], chain: Chain) -> isl.Set:
        """Parameter values for which a reference may leave its row.

        Where it takes several cases to say so, rows are taken to be long enough for all references,
        whether or not those are ever reached: new text asks for that.
        """
        exact, wide = never(), never()
        for statement, access in references:
            polynomial = _polynomial(access)
            if polynomial is None or polynomial.affine is not None:
                continue
            iterators = [*statement.iterators, *access.hidden]
            subscripts = row_by_row(polynomial, chain, access.possible, iterators)
            leaving = out_of_range(subscripts, chain.sizes, access.possible)
            exact = exact | without(leaving, iterators)
            reached = access.possible & self.workshop.type_ranges()
            around = ever_out_of_range(subscripts, chain.sizes, reached, iterators)
            wide = wide | (around if around is not None else without(leaving, iterators))
        context = (self.workshop.context - exact).coalesce()
        is_plain = context.n_basic_set() <= self.workshop.context.n_basic_set()
        return exact if is_plain or self.workshop.is_for_proof else wide

    def _subscripts(
        self, access: RawAccess, draft: ArrayDraft, iterators: Sequence[str]
    ) -> tuple[tuple[isl.PwAff | None, ...], bool]:
        """The subscripts, ``None`` for a whole dimension, and whether they are known."""
        if self._may_leave_row(access, draft):
            through = self._through_rows(access, draft)
            return through or (None,) * len(draft.extents), through is not None
        *outer, last = access.indices or (None,)
        chain = self.chains.get(draft.name)
        if chain is None or len(access.indices) == len(draft.extents) or not access.indices:
            return _plain(access.indices)
        values, known = _plain(outer)
        whole = (*values, None, *(None for _ in chain.sizes))
        if last is None or last is EVERY:
            return whole, known and last is EVERY
        subscripts = row_by_row(last, chain, access.possible, iterators)
        if last.affine is not None:
            # Nothing says that this reference stays in one row: only a proof will do.
            leaving = out_of_range(subscripts, chain.sizes, access.possible)
            if not (leaving & self.workshop.context).is_empty():
                return whole, False
        return (*values, *subscripts), known

    def _through_rows(
        self, access: RawAccess, draft: ArrayDraft
    ) -> tuple[isl.PwAff | None, ...] | None:
        """The subscripts of ``(&A[0][0])[i*n + j]``, which goes through the rows of an array.

        Only where it is certain that they are within their dimensions.
        """
        last = len(access.indices) - 1
        is_one_block = len(draft.parts) == 1 and len(access.indices) == len(draft.extents)
        is_open = any(each is None or each is EVERY for each in access.indices)
        if access.offsets != (last,) or not is_one_block or is_open:
            return None
        rest, found = affine_polynomial(constant(0)), list[isl.PwAff]()
        for index, extent in zip(reversed(access.indices), reversed(draft.extents), strict=True):
            assert index is not None
            rest = rest + index
            if extent is not None and len(found) < last:
                rest, inner = whole_rows(rest, extent)
            else:
                rest, inner = affine_polynomial(constant(0)), rest
            if inner.affine is None:
                return None
            found.insert(0, inner.affine)
        inner_extents = draft.extents[1:]
        sizes = [each for each in inner_extents if each is not None]
        possible = access.possible & self.workshop.type_ranges()
        if len(sizes) < len(inner_extents) or not out_of_range(found, sizes, possible).is_empty():
            return None
        return tuple(found)

    def _may_leave_row(self, access: RawAccess, draft: ArrayDraft) -> bool:
        """May a subscript that moves a pointer lead into another row?"""
        for position in access.offsets:
            if position == 0 or position >= len(draft.extents):
                continue
            index, extent = access.indices[position], draft.extents[position]
            if extent is None or index is EVERY:
                continue
            if index is None or index.affine is None:
                return True
            outside = index.affine.lt_set(constant(0)) | index.affine.ge_set(extent)
            if not (access.possible & outside & self.workshop.type_ranges()).is_empty():
                return True
        return False

    # --- relations ---------------------------------------------------------------------------

    def _statement(self, raw: RawStatement) -> Statement:
        domain = raw.domain
        accesses = [self._access(raw, domain, access) for access in raw.accesses]
        return Statement(
            raw.name,
            raw.iterators,
            domain,
            tuple(accesses),
            raw.body,
            raw.is_dynamic,
            raw.span,
            self.workshop.text_of(raw.span),
            raw.label,
        )

    def _access(self, raw: RawStatement, domain: isl.Set, access: RawAccess) -> Access:
        draft = access.draft
        assert draft is not None
        self.workshop.check_time()
        iterators = (*raw.iterators, *access.hidden)
        subscripts, is_known = self._subscripts(access, draft, iterators)
        if not is_known and any(each is not None for each in draft.extents):
            text = self.workshop.text_of(access.span)
            self.workshop.take_for_granted(f"{text} stays within {draft.name}", access.span)
        may, must = self._relations(raw, domain, access, subscripts, is_known)
        named = Subscripted(access, draft, subscripts, iterators)
        if is_known and not access.kills and not self._is_in_bounds(named, must, domain):
            # Somebody goes through rows as if they were one: any element may be meant.
            nowhere = (None,) * len(draft.extents)
            may, must = self._relations(raw, domain, access, nowhere, is_known=False)
        text = self.workshop.text_of(access.span)
        return Access(
            access.tag,
            draft.name,
            access.reads,
            access.writes,
            access.kills,
            may,
            must,
            access.span,
            text,
        )

    def _relations(
        self,
        raw: RawStatement,
        domain: isl.Set,
        access: RawAccess,
        subscripts: tuple[isl.PwAff | None, ...],
        is_known: bool,
    ) -> tuple[isl.Map, isl.Map]:
        """What an access may touch, and what it certainly touches."""
        draft = access.draft
        assert draft is not None
        elements = element_set(subscripts, draft.name)
        if any(each is None for each in subscripts):
            elements = elements & _array(draft, live_in=False, live_out=False).elements()
        may = self._relation(elements, access.possible, raw, access, domain)
        if not is_known:
            return may, self._relation(elements, never(), raw, access, domain)
        if access.certain is access.possible:
            return may, may
        return may, self._relation(elements, access.certain, raw, access, domain)

    def _relation(
        self,
        elements: isl.Set,
        condition: isl.Set,
        raw: RawStatement,
        access: RawAccess,
        domain: isl.Set,
    ) -> isl.Map:
        touched = without(elements.intersect_params(condition), access.hidden)
        relation = element_relation(touched, raw.name, raw.iterators)
        relation = simplified(relation, lambda each: each.gist_domain(domain))
        return simplified(relation, isl.Map.coalesce)

    def _is_in_bounds(self, named: Subscripted, must: isl.Map, domain: isl.Set) -> bool:
        """Assume that a reference stays within its array; false, and told, if it never does."""
        draft, span = named.draft, named.access.span
        if all(extent is None for extent in draft.extents):
            return True
        reached = must.intersect_domain(domain)
        outside = _array(draft, live_in=False, live_out=False).out_of_bounds()
        leaving = reached.intersect_range(outside).params()
        if leaving.is_empty():
            return True
        if self._is_told(named, leaving):
            return False
        reason = f"{self.workshop.text_of(span)} stays within {draft.name}"
        return self.workshop.exclude_if_simple(leaving, reason, span) is not False

    def _is_told(self, named: Subscripted, leaving: isl.Set) -> bool:
        """Does a reference leave its array whenever it is reached?  Then that is said."""
        if named.draft.name in self.chains:
            return False
        cases = named.undefined_in(leaving, self.workshop.type_ranges())
        if cases is None:
            return False
        named.note(cases, self.workshop)
        return not self.workshop.is_for_proof


def _plain(
    indices: Sequence[Polynomial | None],
) -> tuple[tuple[isl.PwAff | None, ...], bool]:
    """Subscripts as they are: values, and whether each is known."""
    values = tuple(each.affine if each is not None else None for each in indices)
    known = all(
        index is EVERY or value is not None for index, value in zip(indices, values, strict=True)
    )
    return values, known


def _polynomial(access: RawAccess) -> Polynomial | None:
    """The last subscript, if it names one element."""
    last = access.indices[-1]
    return None if last is EVERY else last


def _size_text(size: isl.PwAff) -> str:
    return str(size.get_pieces()[0][1]).split("[(")[1].split(")]")[0]


def _array(draft: ArrayDraft, *, live_in: bool, live_out: bool) -> Array:
    return Array(
        draft.name,
        draft.parts,
        draft.element_type,
        draft.extents,
        draft.is_local,
        live_in,
        live_out,
        draft.span,
        draft.variable_type,
        draft.is_flat,
    )


def finished_arrays(
    drafts: Iterable[ArrayDraft],
    statements: Sequence[Statement],
    dead: set[Variable],
    context: isl.Set,
) -> tuple[Array, ...]:
    """The arrays, with what is live at the region's borders; ``dead`` variables end with it.

    An array is live-in if the values that it had before may be needed: the region reads it, or
    leaves some of its elements as they are and those are live-out.
    """
    accesses = [access for statement in statements for access in statement.accesses]
    read = {access.array for access in accesses if access.reads}
    finished: list[Array] = []
    used = {access.array for access in accesses}
    for draft in drafts:
        if draft.name not in used:
            continue
        is_own = draft.variable in dead and not draft.is_behind_pointer
        live_out = draft.variable is None or not is_own
        array = _array(draft, live_in=False, live_out=live_out)
        kept = live_out and not _is_overwritten(array, statements, context)
        live_in = not draft.is_local and (draft.name in read or kept)
        finished.append(replace(array, is_live_in=live_in))
    return tuple(finished)


def _is_overwritten(array: Array, statements: Sequence[Statement], context: isl.Set) -> bool:
    """Is every element of the array certainly written?"""
    written = never()
    for statement in statements:
        for access in statement.accesses:
            if access.writes and access.array == array.name:
                elements = access.must.intersect_domain(statement.domain).range()
                written = elements if written.is_params() else written | elements
    if written.is_params() or not is_simple(written, 4):
        return False
    return array.elements().intersect_params(context).is_subset(written)
