"""What an operator types: onboard, law amend, night. Each says in English what is wrong, and where."""

import asyncio
import uuid
from pathlib import Path

import pytest

from deploy.cli.database import with_database
from deploy.cli.main import main
from deploy.fictitious.plan import PACKS
from services.database import Database
from services.dead_letters import again
from services.municipalities import store
from tests.support.servers import Servers

COTRIGUACU = str(PACKS / "cotriguacu.toml")
AMENDMENT = """
[[inspection]]
code = "vistoria"
title = "Vistoria técnica semestral"
cite = "art. 29, III"
applies = { category = "taxi" }
every = "6 months"
cure = "15 days"
counting = "prazo"
by = "fiscalizacao"
missed = "CO-29-III"
"""
TO_AMEND = ["--norm", "Lei 1.000/2026", "--official-on", "2026-01-05"]


@pytest.fixture
def empty_servers(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment names a migrated database without a town."""
    url = asyncio.run(servers.clone(f"verbs_{uuid.uuid4().hex}"))
    monkeypatch.setenv("PRACA_DATABASE_URL", url)
    monkeypatch.setenv("PRACA_REDIS_URL", servers.redis_url(0))
    monkeypatch.setenv("PRACA_EMBEDDED", "1")
    monkeypatch.setenv("PRACA_CLOCK", "2026-03-10T12:00:00-04:00")


pytestmark = pytest.mark.usefixtures("empty_servers")


@pytest.fixture
def change(tmp_path: Path) -> Path:
    path = tmp_path / "amendment.toml"
    path.write_text(AMENDMENT, encoding="utf-8")
    return path


def test_a_town_comes_by_its_file_and_only_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["onboard", COTRIGUACU]) == 0
    said = capsys.readouterr().out

    with pytest.raises(SystemExit, match=r"there already.*\./praca law amend"):
        main(["onboard", COTRIGUACU])

    assert "Cotriguaçu/MT is onboarded as 'cotriguacu'" in said


def test_a_refused_file_shows_every_problem_with_line_and_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path(COTRIGUACU).read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines, start=1) if line == 'length = "5 years"')
    broken = tmp_path / "broken.toml"
    broken.write_text("\n".join([*lines[: at - 1], 'length = "5 yeras"', *lines[at:]]), encoding="utf-8")

    with pytest.raises(SystemExit, match=r"broken\.toml is refused: 1 error\(s\)"):
        main(["onboard", str(broken)])

    assert f"{broken}:{at}:10: error: term 'permissao', length" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(SystemExit, match=r"nowhere\.toml cannot be read"):
        main(["onboard", "nowhere.toml"])


def test_an_amendment_is_the_next_publication(change: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["onboard", COTRIGUACU])

    assert main(["law", "amend", "cotriguacu", str(change), *TO_AMEND]) == 0

    assert "Lei 1.000/2026 is publication 2 of cotriguacu, official on 2026-01-05." in capsys.readouterr().out


def test_an_amendment_of_an_unknown_town_names_those_that_there_are(change: Path) -> None:
    main(["onboard", COTRIGUACU])

    with pytest.raises(SystemExit, match=r"no town 'cotrigassu'\. The towns are: cotriguacu\."):
        main(["law", "amend", "cotrigassu", str(change), *TO_AMEND])


def test_a_refused_amendment_shows_where(change: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["onboard", COTRIGUACU])
    change.write_text(AMENDMENT.replace("6 months", "6 moons"), encoding="utf-8")

    with pytest.raises(SystemExit, match="is refused: 1 error"):
        main(["law", "amend", "cotriguacu", str(change), *TO_AMEND])

    assert f"{change}:7:9: error: inspection 'vistoria', every" in capsys.readouterr().err


def test_an_amendment_of_tomorrow_is_refused(change: Path) -> None:
    main(["onboard", COTRIGUACU])

    with pytest.raises(SystemExit, match="INVALID"):
        main(["law", "amend", "cotriguacu", str(change), "--norm", "Lei 1.000/2026", "--official-on", "2026-03-11"])


def test_the_night_tells_of_each_town(capsys: pytest.CaptureFixture[str]) -> None:
    main(["onboard", COTRIGUACU])

    assert main(["night"]) == 0

    assert "Cotriguaçu              2026-03-10  0 expired, 0 reminded" in capsys.readouterr().out


def test_a_night_that_has_not_begun_is_refused() -> None:
    main(["onboard", COTRIGUACU])

    with pytest.raises(SystemExit, match="2026-03-11 has not begun in Cotriguaçu"):
        main(["night", "--day", "2026-03-11"])


def test_what_failed_is_listed_and_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["onboard", COTRIGUACU])
    assert main(["dead-letters"]) == 0
    assert "Nothing has failed" in capsys.readouterr().out
    asyncio.run(with_database(fail_to_seal))
    capsys.readouterr()

    assert main(["dead-letters", "list"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    letter, state, town, *_ = line.split()
    assert (state, town) == ("dead", "cotriguacu")
    assert "message seal: OSError, 1 attempt(s), last 2026-03-10 16:00Z" in line

    assert main(["dead-letters", "replay", letter]) == 0
    assert capsys.readouterr().out.split()[:2] == [letter, "closed"]
    with pytest.raises(SystemExit, match="Nothing that failed"):
        main(["dead-letters", "replay", letter])
    assert main(["dead-letters", "replay", "--all"]) == 0


async def fail_to_seal(database: Database) -> None:
    async with database.directory() as directory:
        towns = [town.id for town in await store.towns(directory)]
    await again.message_failed(database, again.SEAL, towns, OSError("with what it held"))
