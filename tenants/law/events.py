"""Events of the register that set terms running or meet them: the system's words, each of one kind of subject."""

EVENTS: dict[str, frozenset[str]] = {
    "permit": frozenset(
        {
            "granted",
            "service_started",
            "vehicle_swapped",
            "licence_issued",
            "absence_started",
            "absence_justified",
            "absence_ended",
            "summoned",
            "summons_attended",
        }
    ),
    "licence": frozenset({"issued", "renewal_requested", "renewed"}),
    "vehicle": frozenset({"inspected", "faulted", "mended"}),
    "driver": frozenset({"registered", "filed", "admitted", "dismissed"}),
    "paper": frozenset({"filed"}),
    "fine": frozenset({"notified", "appeal_refused", "paid"}),
    "case": frozenset({"served", "defended", "replied", "decided", "appealed", "archived"}),
    "complaint": frozenset({"received", "answered"}),
    "selection": frozenset({"result_published"}),
    "tariff": frozenset({"set", "requested", "reviewed"}),
}
