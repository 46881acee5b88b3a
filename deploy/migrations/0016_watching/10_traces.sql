-- The trace of the request that left the row, so that the worker which takes it up goes on in it.
ALTER TABLE job ADD COLUMN traceparent text CHECK (traceparent ~ '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'); -- law-free: lengths of the W3C's header
ALTER TABLE notice ADD COLUMN traceparent text CHECK (traceparent ~ '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'); -- law-free: lengths of the W3C's header
