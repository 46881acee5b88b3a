"""Every setting of the program, read once from the environment (`PRACA_…`). What a law says is never a setting."""

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, HttpUrl, PostgresDsn, RedisDsn, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """No secret and no address has a default. Units stand in the names."""

    model_config = SettingsConfigDict(env_prefix="PRACA_", env_file=None, frozen=True, extra="ignore")

    # PostgreSQL, as the application role
    database_url: PostgresDsn
    pool_size: int = Field(default=5, ge=1, le=200)
    pool_overflow: int = Field(default=5, ge=0, le=200)
    pool_timeout_seconds: int = Field(default=30, ge=1)
    statement_timeout_ms: int = Field(default=5_000, ge=100)
    lock_timeout_ms: int = Field(default=4_000, ge=100)
    night_statement_timeout_ms: int = Field(default=60_000, ge=100)
    statement_cache_size: int = Field(default=1_024, ge=0)  # 0 behind a pooler that shares connections by transaction
    transaction_attempts: int = Field(default=4, ge=1)
    connection_check_ms: int = Field(default=1_000, ge=100)  # how soon the server notices that its client was killed
    books_kept: int = Field(default=64, ge=1)  # laws of towns, compiled, in one process

    # Valkey or Redis, for the queues
    redis_url: RedisDsn

    # Mail
    smtp_host: str = "127.0.0.1"
    smtp_port: int = Field(default=25, ge=1, le=65_535)
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    smtp_security: Literal["none", "starttls", "tls"] = "none"
    smtp_timeout_seconds: int = Field(default=15, ge=1)
    mail_from: str = "nao-responda@praca.example"
    mail_domain: str = "praca.example"  # the right side of every Message-ID
    mail_domains: tuple[str, ...] = ()  # towns' own, for which the mail server signs (DKIM): their mail comes from them
    mail_bounces: str | None = None  # the mailbox to which other servers say what they could not deliver
    notice_batch: int = Field(default=20, ge=1)
    notice_lease_seconds: int = Field(default=600, ge=1)
    notice_attempts: int = Field(default=8, ge=1)
    notice_record_seconds: int = Field(default=10, ge=1)  # how long a database that is away is waited for
    notice_retry_seconds: int = Field(default=60, ge=1)  # doubled by every attempt

    # Work at night and between
    night_batch: int = Field(default=500, ge=1)  # deadlines closed in one transaction
    night_ahead_days: int = Field(default=400, ge=1)  # the longest lead time of a reminder that is looked for
    night_towns_a_message: int = Field(default=50, ge=1, le=60)  # one transaction, a subtransaction each, of 64 at most
    night_patience_ms: int = Field(
        default=200, ge=1
    )  # of many towns' night for a lock: the town then has its own night
    night_law_days: int = Field(default=90, ge=1)  # for how long what nights need of a law is derived at least
    night_every_seconds: int = Field(default=900, ge=1)
    night_attempts: int = Field(default=6, ge=1)  # of a town that fails, before its night is a dead letter
    night_retry_seconds: int = Field(default=300, ge=1)  # doubled by every attempt
    night_retry_most_seconds: int = Field(default=7_200, ge=1)
    again_every_seconds: int = Field(default=30, ge=1)  # how often what failed and waited is looked for
    relay_every_seconds: int = Field(default=10, ge=1)
    relay_hands: int = Field(default=4, ge=1)  # messages of a sweep, each of which goes from town to town
    relay_towns_a_look: int = Field(default=50, ge=1)
    relay_turn_seconds: int = Field(default=5, ge=0)  # of one town's notices, before another town's have their turn
    relay_slice_seconds: int = Field(default=20, ge=0)  # of one message
    seal_every_seconds: int = Field(default=30, ge=1)
    seal_most_acts: int = Field(default=1_000, ge=1)
    job_every_seconds: int = Field(default=10, ge=1)
    job_slice_seconds: int = Field(default=20, ge=0)  # of one town's long work, before another town's has its turn
    job_lease_seconds: int = Field(default=180, ge=1)
    job_attempts: int = Field(default=5, ge=1)  # turns without any progress
    job_retry_seconds: int = Field(default=30, ge=0)  # doubled by every attempt
    task_soft_limit_seconds: int = Field(default=60, ge=1)
    task_limit_seconds: int = Field(default=90, ge=1)
    task_visibility_seconds: int = Field(default=900, ge=1)
    task_attempts: int = Field(default=6, ge=1)  # of a message that fails as a whole: database or broker away
    task_retry_seconds: int = Field(default=2, ge=1)  # doubled by every attempt, then shortened by chance
    task_retry_most_seconds: int = Field(default=60, ge=1)
    tasks_a_process: int = Field(default=2_000, ge=1)
    broker_socket_seconds: int = Field(default=30, ge=1)
    broker_restore_seconds: int = Field(default=10, ge=1)  # how often the tasks of dead workers are looked for

    # Registers that towns bring in files
    import_most_bytes: int = Field(default=20_000_000, ge=1_000)
    import_most_unpacked_bytes: int = Field(default=400_000_000, ge=1_000)  # a workbook is an archive
    import_most_rows: int = Field(default=50_000, ge=1)
    import_most_columns: int = Field(default=200, ge=1)
    import_batch: int = Field(default=1_000, ge=1)  # rows of one step
    import_keep_days: int = Field(default=180, ge=1)  # how long a file is kept; its report and its acts stay
    campaign_batch: int = Field(default=500, ge=1)  # calls of one step
    recompute_batch: int = Field(default=1_000, ge=1)  # terms or amounts of one step

    # Photographs and papers of records, outside the database
    evidence_folder: Path = Path("evidence")  # one that every process of the API and the workers shares
    evidence_most_bytes: int = Field(default=10_000_000, ge=1_000)
    evidence_orphan_hours: int = Field(default=168, ge=1)  # how long one may wait for its record
    evidence_batch: int = Field(default=100, ge=1)
    case_pictures_most_bytes: int = Field(default=40_000_000, ge=0)  # that the PDF of one case shows; the rest by hash
    picture_most_pixels: int = Field(default=50_000_000, ge=1)  # a larger one is not unpacked to be printed
    complaints_an_hour: int = Field(default=60, ge=1)  # of the public, in one town

    # Who may come in, and from where
    issuer: str = ""
    audience: str = "praca"
    jwks_url: HttpUrl | None = None
    jwks_file: Path | None = None
    keys_dir: Path | None = None  # where the embedded mode keeps the keys that it signs its own tokens with
    cors_origins: tuple[str, ...] = ()  # beside the hosts of the towns
    token_leeway_seconds: int = Field(default=30, ge=0)
    token_lasts_seconds: int = Field(default=2_592_000, ge=60)  # those that the embedded mode issues
    tokens_kept: int = Field(default=10_000, ge=1)
    jwks_refresh_seconds: int = Field(default=60, ge=1)
    jwks_timeout_seconds: int = Field(default=5, ge=1)
    directory_seconds: int = Field(default=10, ge=0)  # how long a town's hosts are remembered

    # What a GraphQL request may ask
    open_documents: bool = False  # take documents that are not among graphql/operations, and show GraphiQL
    documents_kept: int = Field(default=500, ge=1)
    request_most_bytes: int = Field(default=2_000_000, ge=1_000)
    query_most_tokens: int = Field(default=4_000, ge=1)
    query_most_depth: int = Field(default=16, ge=1)
    query_most_aliases: int = Field(default=30, ge=0)
    query_most_roots: int = Field(default=20, ge=1)
    query_most_cost: int = Field(default=100_000, ge=1)  # fields, each times the length of the lists that it is in
    gc_threshold: int = Field(default=20_000, ge=1)  # new objects between two looks for garbage
    query_list_cost: int = Field(default=10, ge=1)  # what a list without `first` counts for

    # What is pushed over a WebSocket
    socket_connections_a_town: int = Field(default=200, ge=1)  # in one process
    socket_subscriptions: int = Field(default=10, ge=1)  # on one connection
    socket_init_seconds: int = Field(default=10, ge=1)  # until the client has said who it is
    socket_idle_seconds: int = Field(default=300, ge=1)  # without a word of either side, pings included
    socket_most_bytes: int = Field(default=100_000, ge=1_000)  # of one message
    progress_every_ms: int = Field(default=1_000, ge=10)  # between two looks at the jobs that somebody watches

    # To be watched
    log_requests: bool = True  # a line for every operation of the API
    metrics_host: str = "127.0.0.1"  # for Prometheus alone: nothing of it is for the public
    metrics_port: int | None = Field(default=None, ge=1, le=65_535)  # of this process; none: no metrics are shown
    metrics_keep_seconds: int = Field(default=15, ge=0)  # how long what was read of the register is shown again
    metrics_timeout_seconds: int = Field(default=10, ge=1)
    metrics_recent_hours: int = Field(default=24, ge=1)  # how long a failed job is shown as one
    metrics_late_seconds: int = Field(default=3_600, ge=1)  # a notice or an act that waits for longer is in trouble
    otlp_endpoint: HttpUrl | None = None  # where traces go, OTLP over HTTP; none: nothing is traced
    otlp_timeout_seconds: int = Field(default=10, ge=1)
    trace_share: float = Field(default=1.0, ge=0, le=1)  # of the traces that begin here

    # One machine, for trying out: never for production
    embedded: bool = False
    clock: datetime | None = None  # the moment at which the program's clock stands still

    @model_validator(mode="after")
    def _checked(self) -> Self:
        if self.clock is not None:
            if not self.embedded:
                raise ValueError("PRACA_CLOCK is only for the embedded mode")
            if self.clock.tzinfo is None:
                raise ValueError("PRACA_CLOCK needs a time zone, such as 2026-01-31T12:00:00-04:00")
        for name, longer, than, shorter in self._lasting():
            if longer <= shorter:
                raise ValueError(f"PRACA_{name} must be above {than}, which is {shorter}")
        return self

    def _lasting(self) -> tuple[tuple[str, int, str, int], ...]:
        """What must last longer than what: a task or lease that is given out twice at once would be the other way."""
        sending_one = self.smtp_timeout_seconds + self.notice_record_seconds
        relaying = self.relay_slice_seconds + self.relay_turn_seconds + sending_one
        sending = self.notice_batch * self.smtp_timeout_seconds + self.notice_record_seconds
        waiting = self.task_limit_seconds + self.task_retry_most_seconds
        visible, limit, soft = self.task_visibility_seconds, self.task_limit_seconds, self.task_soft_limit_seconds
        return (
            ("TASK_LIMIT_SECONDS", limit, "PRACA_TASK_SOFT_LIMIT_SECONDS", soft),
            ("TASK_VISIBILITY_SECONDS", visible, "PRACA_TASK_LIMIT_SECONDS and TASK_RETRY_MOST_SECONDS", waiting),
            ("JOB_LEASE_SECONDS", self.job_lease_seconds, "PRACA_TASK_LIMIT_SECONDS", limit),
            (
                "NOTICE_LEASE_SECONDS",
                self.notice_lease_seconds,
                "NOTICE_BATCH times SMTP_TIMEOUT_SECONDS, and NOTICE_RECORD_SECONDS",
                sending,
            ),
            (
                "TASK_SOFT_LIMIT_SECONDS",
                soft,
                "RELAY_SLICE, RELAY_TURN, SMTP_TIMEOUT and NOTICE_RECORD_SECONDS together",
                relaying,
            ),
            ("TASK_SOFT_LIMIT_SECONDS", soft, "PRACA_JOB_SLICE_SECONDS", self.job_slice_seconds),
        )

    @property
    def explorable(self) -> bool:
        """Any document may be sent, and GraphiQL is served: never so in production."""
        return self.embedded or self.open_documents

    @property
    def async_database_url(self) -> str:
        """The address with the driver that we use, however it was given."""
        _, _, rest = str(self.database_url).partition("://")
        return f"postgresql+asyncpg://{rest}"


@cache
def settings() -> Settings:
    """The process's settings. Raises pydantic's ValidationError, which names what is missing."""
    return Settings()
