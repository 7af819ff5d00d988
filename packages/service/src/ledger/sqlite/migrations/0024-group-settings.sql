-- What is set of a group: its name for people, and the rate limits that are its own (JSON: windows by the name of the limit).
create table group_setting (
  management_group text primary key references management_group (name),
  name text check (name <> ''), -- null until one is set
  limits text not null default '{}' check (json_valid(limits))
) strict, without rowid;

-- The share that a client has of the limits of its group.
create table client_limit (
  client_id text primary key references client (id),
  limits text not null check (json_valid(limits))
) strict, without rowid;
