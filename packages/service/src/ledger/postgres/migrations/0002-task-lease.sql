-- A task whose node was killed must not keep every later one waiting.
alter table task add column lease_until bigint;
