-- A photograph or paper as a piece of the file: its hash is in the content, its bytes stand outside the database.
ALTER TABLE proceeding_piece NO FORCE ROW LEVEL SECURITY;  -- the new key is checked across all towns
ALTER TABLE proceeding_piece ADD COLUMN evidence_id uuid, ADD FOREIGN KEY (tenant_id, evidence_id) REFERENCES evidence;
ALTER TABLE proceeding_piece FORCE ROW LEVEL SECURITY;
-- Once in a file.
CREATE UNIQUE INDEX piece_of_evidence ON proceeding_piece (tenant_id, evidence_id, proceeding_id)
    WHERE evidence_id IS NOT NULL;
