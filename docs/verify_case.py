"""Checks the twin of a case file: python verify_case.py case.json. The standard library alone is enough."""  # noqa: INP001

import json
import sys
from hashlib import sha256
from pathlib import Path


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


case = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
previous, page = "", 1
for at, piece in enumerate(case["pieces"], start=1):
    told = f"WRONG: piece {at}"
    if piece["content"] is not None and hashed(piece["content"]) != piece["sha256"]:
        sys.exit(f"{told} does not say what was filed")
    if (piece["seq"], piece["previous"], piece["page"]) != (at, previous, page):
        sys.exit(f"{told} is not where it was filed")
    said = [piece[name] for name in ("seq", "kind", "title", "restricted", "filedOn", "late", "page", "pages")]
    if hashed(canonical([*said, piece["sha256"], piece["previous"]])) != piece["chain"]:
        sys.exit(f"{told} is not as the index said when it was filed")
    previous, page = piece["chain"], page + piece["pages"]
if not case["pieces"] or case["head"] != previous:
    sys.exit("WRONG: the file does not end where it should")
print(f"{case['number']}: {len(case['pieces'])} pieces, {page - 1} pages, as they were filed")  # noqa: T201
