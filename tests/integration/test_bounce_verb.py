"""`./praca bounce`: a mail server's notification finds the town whose notice it was."""

import asyncio
import io
import re
import uuid
from pathlib import Path

import pytest

from deploy.cli.main import main
from services.clock import FixedClock
from services.database import Database
from services.notices import NewNotice, queue, relay
from tests.conftest import NOW, settings_of
from tests.support.mailbox import Box, returned
from tests.support.register import found, make_permit
from tests.support.servers import Servers


@pytest.fixture
def message(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> str:
    """What came back of a notice of the second of two towns, of the database that the environment names."""
    url = asyncio.run(servers.clone(f"bounce_{uuid.uuid4().hex}"))
    monkeypatch.setenv("PRACA_DATABASE_URL", url)
    monkeypatch.setenv("PRACA_REDIS_URL", servers.redis_url(0))

    async def send() -> str:
        database, box = Database(settings_of(servers, url, 0), FixedClock(NOW)), Box()
        await found(database, "primeira")
        town = await found(database, "segunda")
        async with database.transaction(town) as tx:
            permit = await make_permit(tx)
            await queue(tx, [NewNotice(key="k", template="aviso", subject_kind="permit", subject_id=permit.id)])
        await relay(database, town, box)
        await database.close()
        return returned(box.taken[0])

    return asyncio.run(send())


def test_a_notification_finds_its_town(
    message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "dsn.eml"
    file.write_text(message, encoding="utf-8")
    with pytest.raises(SystemExit, match="No town has sent such a notice"):
        main(["bounce", str(file), "--town", "primeira"])

    assert main(["bounce", str(file)]) == 0
    assert capsys.readouterr().out == "segunda: 1 notice(s) came back, 1 new task(s).\n"

    monkeypatch.setattr("sys.stdin", io.StringIO(message))
    assert main(["bounce", "-", "--town", "segunda"]) == 0
    assert capsys.readouterr().out == "segunda: 1 notice(s) came back, 0 new task(s).\n"

    file.write_text(re.sub(r"(?im)^Message-ID:.*\n", "", message), encoding="utf-8")
    with pytest.raises(SystemExit, match="say with --town"):
        main(["bounce", str(file)])
    assert main(["bounce", str(file), "--town", "segunda"]) == 0

    file.write_text("From: x@y.test\n\nolá", encoding="utf-8")
    with pytest.raises(SystemExit, match="não é um aviso de falha"):
        main(["bounce", str(file)])
