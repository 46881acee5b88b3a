"""A mail server as a process of its own: python -m tests.chaos.sink PORT FOLDER

Each message that it accepts is a line of `journal`: its Message-ID and its recipient. While a file `hold` is in the
folder it keeps the answer back, which is the moment between its acceptance and our commit.
"""

import asyncio
import re
import sys
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session

MESSAGE_ID = re.compile(rb"^Message-ID:\s*(<[^>]+>)", re.MULTILINE | re.IGNORECASE)
LOOK_SECONDS = 0.02


class Journal:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines = (folder / "journal").open("a", buffering=1)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.original_content or b""
        found = MESSAGE_ID.search(content)
        if found is None:
            return "554 no Message-ID"
        self.lines.write(f"{found[1].decode()} {envelope.rcpt_tos[0]}\n")
        hold, held = self.folder / "hold", self.folder / "held"
        if hold.exists():
            held.touch()
            while hold.exists():  # noqa: ASYNC110 - another process brings it about
                await asyncio.sleep(LOOK_SECONDS)
        return "250 Kept"


async def serve(port: int, folder: Path) -> None:
    loop, journal = asyncio.get_running_loop(), Journal(folder)
    server = await loop.create_server(lambda: SMTP(journal, enable_SMTPUTF8=True, loop=loop), "127.0.0.1", port)
    (folder / "ready").touch()
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), Path(sys.argv[2])))
