"""What kind of failure an exception is: by what name it is written down, and whether it is nobody's in particular."""

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

AWAY = ("08", "53", "57P")  # law-free: classes of SQLSTATE: connection, resources, the server's own end


def named(error: BaseException) -> str:
    """The kind of an error. Its text stays out of the register: it may hold personal data."""
    state = _state(error) if isinstance(error, DBAPIError) else getattr(error, "code", None)
    return f"{type(error).__name__} {state}" if state else type(error).__name__


def outage(error: BaseException) -> bool:
    """The database or the network was away: trying again a little later may help, whichever town it is for."""
    if isinstance(error, OSError | PoolTimeout) or (_state(error) or "").startswith(AWAY):
        return True
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _state(error: BaseException) -> str | None:
    """Of the driver's own error, also where it was met before there was a connection to ask on."""
    return getattr(error.orig if isinstance(error, DBAPIError) else error, "sqlstate", None)
