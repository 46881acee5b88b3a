"""Use cases on the register: one folder or file per subject; SQL, transactions, acts."""
