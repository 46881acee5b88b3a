"""What a person at the terminal is told while something takes its time."""

import time

BEGIN = time.monotonic()


def say(message: str) -> None:
    print(f"[{time.monotonic() - BEGIN:5.1f} s] {message}", flush=True)
