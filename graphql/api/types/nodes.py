"""Whatever has an id."""

from dataclasses import dataclass

import strawberry


@strawberry.interface(description="Anything that can be fetched again by its id (registro).")
@dataclass(slots=True, kw_only=True)
class Node:
    id: strawberry.ID
