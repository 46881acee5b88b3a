"""A mail server that delivers nothing: each message becomes a file that one can open.

python -m deploy.embedded.mail --port 2525 --folder .data/mail
"""

import argparse
import asyncio
import re
import time
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session

LONGEST_NAME = 60


class Sink:
    """Names a file by the time and the first recipient; a message that was taken is a whole file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        recipient = re.sub(r"[^\w.@+-]", "_", envelope.rcpt_tos[0])[:LONGEST_NAME]
        name = f"{time.time_ns()}-{recipient}.eml"
        content = envelope.content or b""
        unfinished = self.folder / f"{name}.part"
        unfinished.write_bytes(content if isinstance(content, bytes) else content.encode())
        unfinished.rename(self.folder / name)
        return "250 Kept"


async def serve(port: int, folder: Path) -> None:
    loop = asyncio.get_running_loop()
    sink = Sink(folder)
    server = await loop.create_server(lambda: SMTP(sink, enable_SMTPUTF8=True, loop=loop), "127.0.0.1", port)
    async with server:
        await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    given = parser.parse_args()
    given.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    asyncio.run(serve(given.port, given.folder))


if __name__ == "__main__":
    main()
