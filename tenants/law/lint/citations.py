"""Citations: of norms that nobody declared, missing ones, and articles that cite the wrong one."""

from collections.abc import Iterator

from tenants.law.citation import Citation
from tenants.law.kinds.basis import NormItem, Reading
from tenants.law.lint.subject import Subject, called, error, near, warning
from tenants.law.pack import Problem


def dangling(subject: Subject) -> Iterator[Problem]:
    """A citation of a norm that neither the pack nor the law it changes declares."""
    labels = frozenset(item.label for item in subject.of_kind(NormItem))
    for found in subject.found:
        if isinstance(found.value, Citation) and found.value.norm not in labels:
            hint = f"declare it in [[norm]], or correct its label: {near(found.value.norm, labels)}"
            yield error(f"{found.value} cites a norm that is not declared", hint, found.path)


def missing(subject: Subject) -> Iterator[Problem]:
    """No citation, no publication."""
    for item, raw in zip(subject.items, subject.raws, strict=True):
        if type(item).cited and not item.cite:
            yield error(
                f"{called(item)} has no citation", 'write the article that it follows: cite = "art. …"', raw.path
            )


def mistaken(subject: Subject) -> Iterator[Problem]:
    """An article that names another by mistake, as a reading says; and a reading that contradicts itself."""
    for reading, path in subject.own(Reading):
        where = ", ".join(citation.short for citation in reading.cite if citation not in reading.miscites)
        for citation in reading.miscites:
            if citation not in reading.cite and not any(_within(citation, other) for other in reading.cite):
                hint = "add it to `cite`, so that whoever reads the answer sees both"
                yield error(
                    f"{called(reading)} calls {citation.short} a wrong citation, but does not cite it",
                    hint,
                    (*path, "miscites"),
                )
            chosen = reading.options.get(reading.default or "", "nobody has chosen yet")
            yield warning(
                f"{where}: the text cites {citation.short}, which does not fit",
                f"true of the law itself, and read so: {chosen}",
                (*path, "miscites"),
            )


def _within(citation: Citation, other: Citation) -> bool:
    """Is it the same device, or in it?"""
    if citation.norm != other.norm or citation.device is None or other.device is None:
        return False
    return other.device.covers(citation.device) or citation.device.covers(other.device)
