"""Whatever has an id."""

import strawberry

from api.types.output import interface


@interface(description="Anything that can be fetched again by its id (registro).")
class Node:
    id: strawberry.ID
