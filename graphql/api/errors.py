"""What a caller sees of an error: an expected no whole, a bug only as the request's id."""

from typing import Any

import structlog
from graphql import GraphQLError, GraphQLFormattedError

from api.types.failures import extensions_of
from services.errors import Expected

log = structlog.get_logger(__name__)


def shown(error: GraphQLError, request_id: str) -> GraphQLFormattedError:
    """Errors of the document and of variables come as they are: they hold nothing but what the caller sent."""
    original = root_of(error)
    if isinstance(original, Expected):
        return _formatted(error, str(original), dict(extensions_of(original)))
    if original is None or error.path is None:
        return error.formatted
    log.error("graphql.bug", request_id=request_id, path=error.path, exc_info=original)
    return _formatted(error, internal(request_id), {"code": "INTERNAL", "requestId": request_id})


def internal(request_id: str) -> str:
    return f"Erro interno. Ao pedir ajuda, informe o código {request_id}."


def plain_error(message: str, code: str) -> dict[str, Any]:
    """The body of an answer that no operation was executed for."""
    return {"errors": [{"message": message, "extensions": {"code": code}}]}


def _formatted(error: GraphQLError, message: str, extensions: dict[str, Any]) -> GraphQLFormattedError:
    found: GraphQLFormattedError = {"message": message, "extensions": extensions}
    if error.locations:
        found["locations"] = [location.formatted for location in error.locations]
    if error.path:
        found["path"] = error.path
    return found


def root_of(error: GraphQLError) -> BaseException | None:
    """What was raised, below the errors that only say where."""
    original: BaseException | None = error
    while isinstance(original, GraphQLError):
        original = original.original_error
    return original
