"""What resolvers share in one operation: the town, who asks, and its one transaction."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

import orjson

from api.arguments import arguments_of
from api.towns import Address
from api.types.decisions import Norms
from api.types.failures import Failure, failure_of
from services import access, acts
from services.database import Database, Reader, Request, Transaction
from services.errors import Conflict, Expected, Forbidden, Invalid, NoLawInForce
from services.tokens import Claims

if TYPE_CHECKING:
    from api.progress.looking import JobLooker

T = TypeVar("T")
R = TypeVar("R")
REQUEST_ID = "request_id"


class Context:
    """Made for one operation and closed after it."""

    __slots__ = ("_actor", "_reader", "_stack", "_turn", "claims", "database", "jobs", "refused", "request_id", "town")

    def __init__(
        self,
        database: Database,
        town: Address | None,
        claims: Claims | None,
        request_id: str,
        jobs: "JobLooker | None" = None,
    ) -> None:
        self.database = database
        self.town = town
        self.claims = claims
        self.request_id = request_id
        self.jobs = jobs  # of a subscription
        self.refused: str | None = None  # the kind of no that a mutation answered with
        self._reader: Reader | None = None
        self._actor: access.Actor | None = None
        self._stack = AsyncExitStack()
        self._turn = asyncio.Lock()

    async def close(self) -> None:
        await self._stack.aclose()

    @property
    def town_id(self) -> UUID:
        """Raises Invalid when neither host nor token names a town."""
        if self.town is None:
            raise Invalid("town", "missing", "Use o endereço do município, ou um token dele.")
        return self.town.id

    async def reader(self) -> Reader:
        """The operation's one snapshot, opened by whoever reads first; siblings take turns on it."""
        async with self._turn:
            if self._reader is None:
                self._reader = await self._stack.enter_async_context(self.database.reader(self.town_id))
            return self._reader

    async def actor(self) -> access.Actor:
        """Who reads, by the register of this day."""
        reader = await self.reader()
        async with self._turn:
            if self._actor is None:
                self._actor = await self.actor_in(reader)
            return self._actor

    async def actor_in(self, tx: Reader) -> access.Actor:
        if self.claims is None:
            return access.PUBLIC
        if self.claims.operator:
            return access.operator(self.claims.subject)
        return await access.actor_of(tx, self.claims.subject)

    async def perform(
        self,
        use_case: Callable[..., Awaitable[T]],
        given: Any,
        *,
        answer: Callable[[T], R] | None = None,
        load: Callable[[Transaction, UUID], Awaitable[R]] | None = None,
        refusal: Callable[[Expected, Norms], Failure] = failure_of,
    ) -> R | Failure:
        """A use case in its own transaction: committed when it answers, rolled back when it says no.

        Args:
            given: The mutation's input: its fields are the use case's arguments, ids already read.
            answer: What the mutation shows of the use case's result.
            load: Instead, what it shows of the record by its id: then the input may carry a `request_id`, and a
                repeat shows what became of the first. The result is an id or has one.
            refusal: How a no of the use case is answered.
        """
        try:
            arguments = arguments_of(given)
            town_id = self.town_id
        except Expected as no:
            return self._refuse(failure_of(no, {}))
        request = self._request(use_case, arguments.pop(REQUEST_ID, None), arguments)
        show = _shown_by(answer, load)

        async def work(tx: Transaction) -> R:
            try:
                made: Any = await _made_before(tx, request, again=load is not None)
                if made is None:
                    made = await use_case(tx, await self.actor_in(tx), **arguments)
                return await show(tx, made)
            except Expected as no:
                raise _No(refusal(no, await _norms(tx))) from no

        try:
            return await self.database.perform(town_id, work, request=request)
        except _No as no:
            return self._refuse(no.failure)
        except Expected as no:  # met outside the use case: at the commit
            return self._refuse(failure_of(no, {}))

    def _refuse(self, failure: Failure) -> Failure:
        self.refused = failure.code.lower()
        return failure

    def _request(self, use_case: Callable[..., Any], name: str | None, arguments: dict[str, Any]) -> Request | None:
        """A caller's name for what they ask, and the hash of who asks what: a repeat must be of the same."""
        if not name:
            return None
        who = None if self.claims is None else self.claims.subject
        said = [who, use_case.__module__, use_case.__qualname__, arguments]
        return Request(name, hashlib.sha256(orjson.dumps(said, default=str, option=orjson.OPT_SORT_KEYS)).digest())

    def operator(self) -> access.Actor:
        """For what concerns no single town. Raises Forbidden for anybody but the platform's operator."""
        if self.claims is None or not self.claims.operator:
            raise Forbidden("operate")
        return access.operator(self.claims.subject)


class _No(Exception):
    """Rolls the transaction back, with what will be answered."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure


async def _norms(tx: Reader) -> Norms:
    try:
        return (await tx.law(on=tx.today)).norms
    except NoLawInForce:
        return {}


def _shown_by(
    answer: Callable[[Any], R] | None, load: Callable[[Transaction, UUID], Awaitable[R]] | None
) -> Callable[[Transaction, Any], Awaitable[R]]:
    async def show(tx: Transaction, made: Any) -> R:
        if load is not None:
            return await load(tx, made if isinstance(made, UUID) else made.id)
        if answer is None:
            raise TypeError("a mutation says how its result is shown")
        return answer(made)

    return show


async def _made_before(tx: Transaction, request: Request | None, *, again: bool) -> UUID | None:
    """What the same request made the first time: the id that the use case left, otherwise its act's subject.

    Raises:
        Conflict: Its input was another, or what it made is not shown ``again``.
    """
    repeat = None if request is None else await acts.repeated(tx, request.id, request.hash)
    if repeat is None:
        return None
    if not again:
        raise Conflict(message="Este pedido (requestId) já foi feito.")
    left = (repeat.result or {}).get("id")
    found = UUID(left) if left is not None else repeat.subject_id
    if found is None:
        raise TypeError(f"{repeat.verb} left nothing to answer a repeat with")
    return found
