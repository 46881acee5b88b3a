"""Events of the register that set terms running or meet them: the system's words, each of one kind of subject."""

EVENTS: dict[str, frozenset[str]] = {
    "permit": frozenset(
        {
            "granted",
            "renewed",
            "ended",
            "service_started",
            "vehicle_swapped",
            "licence_issued",
            "absence_started",
            "absence_justified",
            "absence_ended",
        }
    ),
    "licence": frozenset({"issued", "renewal_requested", "renewed"}),
    "vehicle": frozenset({"entered", "inspected", "faulted", "mended", "left"}),
    "driver": frozenset({"registered", "filed", "admitted", "dismissed"}),
    "paper": frozenset({"filed", "replaced"}),
    "fine": frozenset({"notified", "appeal_refused", "paid"}),
    "case": frozenset({"opened", "served", "defended", "replied", "decided", "appealed", "final", "archived"}),
    "complaint": frozenset({"received", "answered"}),
    "call": frozenset({"published", "served", "attended"}),
    "selection": frozenset({"result_published"}),
    "tariff": frozenset({"set", "requested", "reviewed"}),
}
