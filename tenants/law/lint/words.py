"""Notices: their words are of the language that reaches nothing but fields, and they are to somebody."""

from collections.abc import Iterator

from tenants.law.kinds.basis import NoticeItem, Office, Template
from tenants.law.lint.subject import Subject, called, error, near
from tenants.law.pack import Problem
from tenants.law.receivers import OFFICE, WORDS
from tenants.law.wording import Words, faults


def templates(subject: Subject) -> Iterator[Problem]:
    """A notice's words name fields and nothing else, and can be filled."""
    for template, path in subject.own(Template):
        for part, wrong in faults(Words(template.subject, template.body, template.html)).items():
            for fault in wrong:
                where = f"{called(template)}, {part}, linha {fault.line}, coluna {fault.column}"
                yield error(f"{where}: {fault.message}", "veja docs/law-pack.md, “Notices”", (*path, part))


def receivers(subject: Subject) -> Iterator[Problem]:
    """Whom a reminder is to: people, an office, or those who have a power."""
    offices = list(subject.of_kind(Office))
    known = WORDS | {OFFICE, *(office.code for office in offices), *(power for o in offices for power in o.may)}
    for notice, path in subject.own(NoticeItem):
        if notice.to not in known:
            hint = f"name people, an office or a power; {near(notice.to, known)}"
            yield error(f"{called(notice)} is to {notice.to!r}, which is nobody", hint, (*path, "to"))
