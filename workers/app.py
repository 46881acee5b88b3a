"""The Celery application: `celery -A workers.app worker`, `celery -A workers.app beat`."""

from celery import Celery
from celery.signals import setup_logging
from kombu import Exchange, Queue

from services import logs
from services.settings import Settings, settings

SWEEPS, NIGHT, NOTICES, IMPORTS = "sweeps", "night", "notices", "imports"

QUEUES = (SWEEPS, NIGHT, NOTICES, IMPORTS)


def every(seconds: int, task: str, *, module: str = "tasks") -> dict[str, object]:
    """A sweep that was not taken in time is worth nothing: the next one sees the same."""
    return {"task": f"workers.{module}.{task}", "schedule": float(seconds), "options": {"expires": seconds}}


def configuration(chosen: Settings) -> dict[str, object]:
    """Late acknowledgement: a worker that dies loses no task. Each ends long before it would be given out again."""
    return {
        "broker_url": str(chosen.redis_url),
        "broker_connection_retry_on_startup": True,
        "broker_transport_options": {
            "visibility_timeout": chosen.task_visibility_seconds,
            "unacked_restore_interval": chosen.broker_restore_seconds,
            "unacked_restore_throttle": 1,
            "socket_timeout": chosen.broker_socket_seconds,
            "socket_keepalive": True,
        },
        "timezone": "UTC",
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_ignore_result": True,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_soft_time_limit": chosen.task_soft_limit_seconds,
        "task_time_limit": chosen.task_limit_seconds,
        "task_default_queue": SWEEPS,
        "task_queues": [Queue(name, Exchange(name), routing_key=name) for name in QUEUES],
        "task_routes": {
            "workers.tasks.night": {"queue": NIGHT},
            "workers.tasks.seal": {"queue": NIGHT},
            "workers.tasks.relay": {"queue": NOTICES},
            "workers.jobs.work": {"queue": IMPORTS},
            "workers.again.again": {"queue": NIGHT},
        },
        "worker_prefetch_multiplier": 1,
        "worker_max_tasks_per_child": chosen.tasks_a_process,
        "beat_schedule": {
            "nights": every(chosen.night_every_seconds, "start_nights"),
            "relays": every(chosen.relay_every_seconds, "start_relays"),
            "seals": every(chosen.seal_every_seconds, "start_seals"),
            "jobs": every(chosen.job_every_seconds, "start_jobs", module="jobs"),
            "again": every(chosen.again_every_seconds, "start_again", module="again"),
        },
    }


app = Celery("praca", include=["workers.tasks", "workers.jobs", "workers.again", "workers.watching"])
app.conf.update(configuration(settings()))


@setup_logging.connect
def begin_logs(**_: object) -> None:
    """In place of Celery's own, which would write what an exception says."""
    logs.configure()
