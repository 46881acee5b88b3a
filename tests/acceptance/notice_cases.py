"""How the documents about notices are asked."""

from typing import Any
from uuid import uuid4

from api.types.scalars import global_id, read_id
from services.notices import NewNotice, queue, relay
from services.notices.tasks import NewTask, open_
from tests.acceptance.operations import Asking, case
from tests.acceptance.public_cases import permit_with
from tests.acceptance.stage import BARRA, COTRIGUACU, subject_of
from tests.support.mailbox import Box, returned

LAW_WORDS = {"subject": "{{ town }}: {{ title }}", "body": "Olá, {{ name }}: até {{ last_day }} ({{ article }})."}


async def told(ask: Asking, kind: str, id: str, to: str, key: str = "") -> str:
    """A notice as the register writes one."""
    name = key or str(uuid4())
    new = NewNotice(key=name, template="aviso", subject_kind=kind, subject_id=read_id(id, kind).key, to=to)
    async with ask.stage.database.transaction(await ask.stage.town(ask.town)) as tx:
        await queue(tx, [new])
        return str(global_id("notice", await tx.scalar("SELECT id FROM notice WHERE key = :key", key=name)))


async def of_whoever_holds(ask: Asking) -> str:
    permit = (await ask.stage.run("holder/myPermits", town=ask.town))["edges"][0]["node"]["id"]
    return await told(ask, "permit", permit, "holder")


async def of_the_office(ask: Asking) -> str:
    return await told(ask, "permit", (await permit_with(ask, "stand"))["id"], "register")


async def of_whoever_drives(ask: Asking) -> str:
    async with ask.stage.database.reader(await ask.stage.town(ask.town)) as tx:
        driver = await tx.scalar(
            "SELECT d.id FROM driver AS d JOIN account AS a ON a.tenant_id = d.tenant_id AND a.person_id = d.person_id "
            "WHERE d.tenant_id = :tenant AND a.subject = :subject",
            subject=subject_of(ask.town, "driver"),
        )
    return await told(ask, "driver", str(global_id("driver", driver)), "driver")


async def mine(ask: Asking, id: str) -> Any:
    return next(edge["node"] for edge in (await ask(first=100))["edges"] if edge["node"]["id"] == id)


@case("holder/myNotices", BARRA)
async def my_notices(ask: Asking) -> None:
    found = await mine(ask, await of_whoever_holds(ask))

    assert "permissão" in found["subject"]
    assert (found["office"], found["readAt"], found["readBy"]) == (None, None, [])
    assert found["html"].startswith("<p>")


@case("clerk/myNotices", BARRA)
async def my_office_s_notices(ask: Asking) -> None:
    id = await of_the_office(ask)
    await ask.stage.done("clerk/markNoticesRead", {"noticeIds": [id]}, town=ask.town)
    found = await mine(ask, id)

    assert found["office"] is not None
    assert [each["reader"] for each in found["readBy"]] == [subject_of(ask.town, "clerk")]
    assert found["readAt"] == found["readBy"][0]["at"]


@case("driver/myNotices", BARRA)
async def my_driver_s_notices(ask: Asking) -> None:
    assert "condutor" in (await mine(ask, await of_whoever_drives(ask)))["subject"]


@case("holder/unreadNotices", BARRA)
async def unread(ask: Asking) -> None:
    before = await ask()
    id = await of_whoever_holds(ask)

    assert await ask() == before + 1
    await ask.stage.done("holder/markNoticesRead", {"noticeIds": [id]}, town=ask.town)
    assert await ask() == before


@case("clerk/unreadNotices", BARRA)
async def unread_of_the_office(ask: Asking) -> None:
    before = await ask()
    await of_the_office(ask)

    assert await ask() == before + 1


@case("holder/markNoticesRead", BARRA)
async def mark_read(ask: Asking) -> None:
    id = await of_whoever_holds(ask)
    office_s = await of_the_office(ask)

    assert (await ask.done(noticeIds=[id]))["marked"] == 1
    assert (await ask.done(noticeIds=[id]))["marked"] == 0
    refused = await ask.stage.act("holder/markNoticesRead", {"noticeIds": [office_s]}, town=ask.town)
    assert refused["code"] == "NOT_FOUND"


@case("clerk/markNoticesRead", BARRA)
async def mark_read_in_the_office(ask: Asking) -> None:
    assert (await ask.done(noticeIds=[await of_the_office(ask)]))["marked"] == 1


@case("clerk/notice", COTRIGUACU)
async def notice(ask: Asking) -> None:
    id = await told(ask, "permit", (await permit_with(ask, "stand"))["id"], "holder")
    box = Box()
    await relay(ask.stage.database, await ask.stage.town(ask.town), box)
    found = await ask(id=id)

    assert found["template"] == "aviso"
    assert found["state"] in ("sent", "kept")
    assert [each["outcome"] for each in found["deliveries"]] == (["sent"] if found["state"] == "sent" else [])
    assert "permissão" in found["subject"]


@case("clerk/clerkTasks", BARRA)
async def tasks(ask: Asking) -> None:
    about = str(uuid4())
    await opened(ask, about)
    permit = (await permit_with(ask, "stand"))["id"]
    await opened(ask, f"permit:{read_id(permit, 'permit').key}", kind="nobody")
    found = [edge["node"] for edge in (await ask(first=100))["edges"]]

    assert [(each["kind"], each["closedOn"]) for each in found if each["about"] == about] == [("template", None)]
    assert [each["kind"] for each in found if each["about"] == permit] == ["nobody"]


@case("clerk/closeClerkTask", BARRA)
async def close_task(ask: Asking) -> None:
    id = await opened(ask, str(uuid4()))
    made = await ask.done(taskId=id, done="Corrigido o modelo.")

    assert (made["closedOn"], made["done"], made["version"]) == ("2026-03-10", "Corrigido o modelo.", 2)


async def opened(ask: Asking, about: str, kind: str = "template") -> str:
    async with ask.stage.database.transaction(await ask.stage.town(ask.town)) as tx:
        await open_(tx, [NewTask(kind, about)])
        return str(global_id("task", await tx.scalar("SELECT id FROM clerk_task WHERE about = :about", about=about)))


@case("clerk/reportBounce", BARRA)
async def report_bounce(ask: Asking) -> None:
    box = Box()
    town = await ask.stage.town(ask.town)
    async with ask.stage.database.transaction(town) as tx:
        holder = await tx.one(
            "UPDATE person SET email = 'devolve@example.org' WHERE id = (SELECT h.person_id FROM permit AS p "
            "JOIN holder AS h ON h.id = p.holder_id WHERE h.person_id IS NOT NULL LIMIT 1) RETURNING id"
        )
        permit = await tx.scalar(
            "SELECT p.id FROM permit AS p JOIN holder AS h ON h.id = p.holder_id WHERE h.person_id = :person LIMIT 1",
            person=holder.id,
        )
    await told(ask, "permit", str(global_id("permit", permit)), "holder")
    await relay(ask.stage.database, town, box)
    sent = next(message for message in box.taken if "devolve@example.org" in message["To"])

    made = await ask.done(message=returned(sent))
    again = await ask.done(message=returned(sent))

    assert (made["notices"], made["tasks"]) == (1, 1)
    assert (again["notices"], again["tasks"]) == (1, 0)


@case("clerk/templateFields", BARRA)
async def template_fields(ask: Asking) -> None:
    of_fines = {field["name"] for field in await ask(kind="fine")}

    assert {"amount", "article", "last_day", "outcome"} <= of_fines
    assert "amount" not in {field["name"] for field in await ask(kind="licence")}


@case("operator/previewNoticeTemplate", COTRIGUACU)
async def preview(ask: Asking) -> None:
    permit = await permit_with(ask, "licence")
    found = await ask(input={**LAW_WORDS, "subjectId": permit["id"]})
    refused = await ask(input={**LAW_WORDS, "body": "a\n{{ name.__class__ }}", "subjectId": permit["id"]})

    assert permit["holder"]["name"] in found["body"]
    assert "art." in found["body"]
    assert len(found["subject"].rpartition(": ")[2]) > len("Termo")
    assert (refused["body"], [(each["line"], each["column"]) for each in refused["problems"]]) == (None, [(2, 9)])


@case("operator/saveNoticeTemplate", COTRIGUACU)
async def save(ask: Asking) -> None:
    made = await ask.done(code="aviso_de_teste", why="Portaria 1/2026", **LAW_WORDS)
    again = await ask.done(code="aviso_de_teste", why="Portaria 2/2026", **{**LAW_WORDS, "body": "Outro."})
    refused = await ask.stage.act(
        "operator/saveNoticeTemplate",
        {"code": "aviso_de_teste", "why": "x", "subject": "a", "body": "{{ cycler.__init__.__globals__ }}"},
        town=ask.town,
    )

    assert again["seq"] == made["seq"] + 1
    assert refused["problems"][0]["line"] == 1
