"""Checks the twin of a case file: python verify_case.py case.json [FOLDER]. The standard library alone is enough.

FOLDER: the photographs and documents that pieces show, as they were fetched, under any name: each is known by its hash.
"""  # noqa: INP001

import json
import sys
from hashlib import sha256
from pathlib import Path


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


case = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
folder = Path(sys.argv[2]) if len(sys.argv) > 2 else None
files = {sha256(each.read_bytes()).hexdigest() for each in folder.iterdir()} if folder else set()
previous, page, shown, gone = "", 1, 0, 0
for at, piece in enumerate(case["pieces"], start=1):
    told = f"WRONG: piece {at}"
    if piece["content"] is None:
        gone += 1
        if not case["disposed"]:
            sys.exit(f"{told} says nothing, and no act has destroyed it")
    elif hashed(piece["content"]) != piece["sha256"]:
        sys.exit(f"{told} does not say what was filed")
    said = json.loads(piece["content"])["attachment"] if piece["content"] else None
    if said:
        shown += 1
        if not piece["evidence"] or piece["evidence"]["sha256"] != said["sha256"]:
            sys.exit(f"{told} shows another file than was filed")
        if folder and said["sha256"] not in files:
            sys.exit(f"{told} shows a file that is not in {folder}, or is not as it was filed")
    if (piece["seq"], piece["previous"], piece["page"]) != (at, previous, page):
        sys.exit(f"{told} is not where it was filed")
    index = [piece[name] for name in ("seq", "kind", "title", "restricted", "filedOn", "late", "page", "pages")]
    if hashed(canonical([*index, piece["sha256"], piece["previous"]])) != piece["chain"]:
        sys.exit(f"{told} is not as the index said when it was filed")
    previous, page = piece["chain"], page + piece["pages"]
if not case["pieces"] or case["head"] != previous:
    sys.exit("WRONG: the file does not end where it should")
more = [f"{shown} exhibits {'as they were filed' if folder else 'by their hash'}"] if shown else []
more += [f"{gone} destroyed by act {case['disposed']['act']}"] if gone else []
print("; ".join([f"{case['number']}: {len(case['pieces'])} pieces, {page - 1} pages, as they were filed", *more]))  # noqa: T201
