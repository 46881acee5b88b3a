"""Repeats the draw of a proof file: python verify_draw.py proof.json. The standard library alone is enough."""  # noqa: INP001

import json
import sys
from hashlib import sha256
from itertools import groupby
from pathlib import Path

proof = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
previous, seed, absent = None, proof["seed"], proof["absent"]
for published in proof["lists"]:
    listed = json.loads(published["text"])
    if sha256(published["text"].encode()).hexdigest() != published["sha256"] or listed["previous"] != previous:
        sys.exit(f"WRONG: list {listed['revision']} is not the one that was published")
    previous = published["sha256"]
    if seed and listed["because"] != "objection" and published["publishedOn"] >= seed["drawnOn"]:
        sys.exit("WRONG: the seed was known when the list was published")
if listed["waits"] == "seed" and not seed:
    sys.exit("WAITING: the seed is not known yet")
order = []
for _, equals in groupby(sorted(listed["candidates"], key=lambda each: each["place"]), key=lambda each: each["place"]):
    ids = sorted(each["id"] for each in equals)
    if listed["waits"] != "seed" or len(ids) == 1:
        order.append(ids)
        continue
    drawn = sorted(ids, key=lambda id: sha256(f"{seed['text']}:{id}".encode()).digest())
    last = [id for id in drawn if id in absent["ids"] and absent["are"] != "nothing"]
    order += [[id] for id in drawn if id not in last] + [[id] for id in last if absent["are"] == "last"]
print(json.dumps(order))  # noqa: T201
sys.exit(None if order == proof["order"] else "WRONG: the published order is another")
