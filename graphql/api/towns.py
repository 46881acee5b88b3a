"""Which town a request is of: its host says, or its token; never a header that anybody may write."""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from services.database import Database
from services.errors import Forbidden
from services.municipalities import store
from services.tokens import Claims


@dataclass(frozen=True, slots=True)
class Address:
    """A town as the directory knows it."""

    id: UUID
    slug: str
    hosts: tuple[str, ...]


class Towns:
    """The directory, remembered for as long as the settings say; a town just onboarded is looked for at once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._by_host: dict[str, Address] = {}
        self._by_slug: dict[str, Address] = {}
        self._read_at = -1.0
        self._turn = asyncio.Lock()

    async def of_host(self, host: str) -> Address | None:
        await self._fresh()
        return self._by_host.get(host)

    async def of_slug(self, slug: str) -> Address | None:
        """Asked for by name: one that we do not know may have come since we last looked."""
        await self._fresh()
        if slug not in self._by_slug:
            await self._read(asyncio.get_running_loop().time())
        return self._by_slug.get(slug)

    async def of_request(self, host: str, slug: str | None, claims: Claims | None) -> Address | None:
        """Args: slug: of the path, which counts as a host in the embedded mode.

        Raises:
            Forbidden: Host and token are of different towns, or the path or token names none that there is.
        """
        placed = await self.of_slug(slug) if slug is not None else await self.of_host(host)
        if slug is not None and placed is None:
            raise Forbidden("enter")
        if claims is None or claims.town is None:
            return placed
        named = await self.of_slug(claims.town)
        if named is None or (placed is not None and placed.id != named.id):
            raise Forbidden("enter")
        return named

    async def _fresh(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._read_at < 0 or now - self._read_at >= self._database.settings.directory_seconds:
            await self._read(now)

    async def _read(self, asked_at: float) -> None:
        """Those who ask at once read once."""
        async with self._turn:
            if self._read_at > asked_at:
                return
            async with self._database.directory() as directory:
                found = [Address(t.id, t.slug, tuple(t.hosts)) for t in await store.towns(directory)]
            self._by_slug = {town.slug: town for town in found}
            self._by_host = {host: town for town in found for host in town.hosts}
            self._read_at = asyncio.get_running_loop().time()


def bare_host(header: str) -> str:
    """A Host header, or an origin's authority, without its port, in lower case."""
    host = header.strip().lower().rpartition("@")[2]
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].rstrip(".")
