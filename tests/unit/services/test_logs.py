"""Lines of the log: of an error its kind, place and code; nothing that somebody typed, whoever says it."""

import json
import logging
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
import structlog

from deploy.embedded.place import PYTHONPATH, ROOT
from services import logs
from services.errors import Invalid

CPF = "111.444.777-35"
TOWN = UUID(int=7)
Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    """What was written since, line by line."""
    logs.configure()

    def read() -> list[dict[str, Any]]:
        return [json.loads(line) for line in capsys.readouterr().err.splitlines()]

    return read


def fall(error: Exception) -> None:
    raise error


def test_an_error_is_told_by_its_kind_its_places_and_its_code(lines: Lines) -> None:
    try:
        fall(Invalid("cpf", "invalid", CPF))
    except Invalid:
        structlog.get_logger().exception("it failed")

    (line,) = lines()
    assert (line["event"], line["level"], line["kind"], line["code"]) == ("it failed", "error", "Invalid", "INVALID")
    assert line["at"][-1].startswith(__file__)
    assert line["at"][-1].endswith(" fall")
    assert CPF not in json.dumps(line)


def test_causes_are_told_by_their_places_and_end(lines: Lines) -> None:
    circle = ValueError(CPF)
    circle.__cause__ = error = KeyError(CPF)
    error.__cause__ = circle

    structlog.get_logger().error("round", exc_info=circle)

    assert CPF not in json.dumps(lines())


def test_what_looks_like_a_code_and_is_none_is_left_out(lines: Lines) -> None:
    error = RuntimeError()
    error.code = f"cpf {CPF}"  # type: ignore[attr-defined]

    structlog.get_logger().error("odd", exc_info=error)

    assert "code" not in lines()[0]


@pytest.mark.parametrize(
    "say",
    [
        lambda log: log.error("of %s", CPF),
        lambda log: log.warning("of %(who)s", {"who": CPF}),
        lambda log: log.info("of %s", CPF),
        lambda log: log.error("it failed", exc_info=RuntimeError(CPF)),
        lambda log: log.critical("it failed", extra={"cpf": CPF}),
    ],
    ids=["filled", "by name", "at info", "an exception", "extra"],
)
def test_a_library_says_its_own_words_and_not_what_fills_them(lines: Lines, say: Callable[[Any], None]) -> None:
    say(logging.getLogger("some.library"))

    (line,) = lines()
    assert line["logger"] == "some.library"
    assert line["event"] in {"of %s", "of %(who)s", "it failed"}
    assert CPF not in json.dumps(line)


def test_celery_names_the_task_and_not_what_it_raised(lines: Lines) -> None:
    """The words and the members that its own log has of a task."""
    said = {"name": "workers.tasks.night", "id": "ab-1", "exc": f"RuntimeError({CPF!r})", "args": f"[{CPF!r}]"}
    try:
        fall(RuntimeError(CPF))
    except RuntimeError:
        log = logging.getLogger("celery.app.trace")
        log.error("Task %(name)s[%(id)s] raised: %(exc)s", said, exc_info=True, extra={"data": said})

    (line,) = lines()
    assert (line["task"], line["task_id"], line["kind"]) == ("workers.tasks.night", "ab-1", "RuntimeError")
    assert CPF not in json.dumps(line)


def test_a_member_that_nobody_has_allowed_is_withheld_and_named(lines: Lines) -> None:
    structlog.get_logger().info("granted", holder="Ana Souza", tenant=str(TOWN))

    (line,) = lines()
    assert (line["withheld"], line["tenant"]) == (["holder"], str(TOWN))
    assert "Ana" not in json.dumps(line)


def test_every_line_of_a_block_says_what_it_is_about_and_the_town_by_its_slug(lines: Lines) -> None:
    logs.know_town(TOWN, "vila-nova")

    with logs.about(tenant=TOWN, request_id="front-end-0001"):
        structlog.get_logger().info("ours")
        logging.getLogger("some.library").warning("theirs")
    structlog.get_logger().info("after")

    ours, theirs, after = lines()
    for line in (ours, theirs):
        assert (line["town"], line["tenant"], line["request_id"]) == ("vila-nova", str(TOWN), "front-end-0001")
    assert after.keys().isdisjoint({"town", "tenant", "request_id"})


def test_a_warning_is_told_by_its_kind_and_place(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warnings.showwarning", logs.warned)  # pytest keeps warnings to itself
    warnings.simplefilter("always")
    warnings.warn(f"odd: {CPF}", UserWarning, stacklevel=1)

    (line,) = lines()
    assert (line["kind"], line["level"]) == ("UserWarning", "warning")
    assert CPF not in json.dumps(line)


def test_a_process_that_ends_with_an_exception_says_so_in_a_line() -> None:
    program = f"from services import logs; logs.configure(); raise RuntimeError({CPF!r})"
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env={"PYTHONPATH": PYTHONPATH}, capture_output=True, text=True
    )

    assert ended.returncode == 1
    line = json.loads(ended.stderr)
    assert (line["event"], line["level"], line["kind"]) == ("process.ended", "critical", "RuntimeError")
    assert CPF not in ended.stderr


def test_a_path_that_somebody_asked_for_is_not_written(lines: Lines) -> None:
    """uvicorn's own line of a request holds what stands in its address."""
    logging.getLogger("uvicorn.access").info('%s - "%s %s"', "1.2.3.4", "PUT", f"/imports/a?name={CPF}")

    assert lines() == []
