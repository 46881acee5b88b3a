"""What two looks at the database's catalogue, as it was migrated and with two towns in it, both hold it to."""

# From these alone the application deletes: what they say is elsewhere too, or is read anew.
EMPTIED = {"act_unsealed", "import_issue", "import_key", "import_row", "night_law"}
# Functions across towns that return counts, ages and ids; all others return ids.
NUMBERS = {"watched_numbers", "watched_nights", "watched_letters", "towns_in_trouble"}
