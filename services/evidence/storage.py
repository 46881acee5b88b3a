"""Where bytes stand outside the database: as an object store has it, put, get and delete by key."""

import asyncio
import os
import secrets
from pathlib import Path
from typing import Protocol

from services.settings import Settings


class Storage(Protocol):
    """What S3 and its like can do. Keys are ours: a town's id and an object's."""

    async def put(self, key: str, content: bytes) -> None:
        """Whole or not at all; again is the same."""

    async def get(self, key: str) -> bytes:
        """Raises KeyError."""

    async def delete(self, key: str) -> None:
        """What is not there is gone."""


class Folder:
    """A folder of this machine, or one that all processes share."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def put(self, key: str, content: bytes) -> None:
        await asyncio.to_thread(self._write, self._path(key), content)

    async def get(self, key: str) -> bytes:
        try:
            return await asyncio.to_thread(self._path(key).read_bytes)
        except FileNotFoundError as error:
            raise KeyError(key) from error

    async def delete(self, key: str) -> None:
        await asyncio.to_thread(self._path(key).unlink, missing_ok=True)

    def _path(self, key: str) -> Path:
        path = (self._root / key).resolve()
        if not path.is_relative_to(self._root.resolve()):
            raise ValueError("a key stays within the folder")
        return path

    def _write(self, path: Path, content: bytes) -> None:
        """A crash leaves either nothing under the name or the whole of it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(f"{path.name}.{secrets.token_hex()}")
        with half.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)


def storage_of(settings: Settings) -> Storage:
    return Folder(settings.evidence_folder)
