"""Files and jobs by their ids."""

from uuid import UUID

from api.importing.types import ImportFile, Job, file_by, job_by
from api.nodes import loads
from api.selection import Selection
from services.database import Reader


@loads("import")
async def import_file(tx: Reader, id: UUID, wanted: Selection) -> ImportFile:
    return await file_by(tx, id, wanted)


@loads("job")
async def job(tx: Reader, id: UUID, wanted: Selection) -> Job:
    return await job_by(tx, id)
