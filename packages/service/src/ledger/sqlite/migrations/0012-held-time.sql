-- By how much expiry was put off for jumps of the clock that have not been taken back: milliseconds.
alter table ledger_clock add column held_ms integer not null default 0 check (held_ms >= 0);
