-- What is set of a group: its name for people, and the rate limits that are its own (JSON: windows by the name of the limit). Tables of
-- their own: nodes of the version before have prepared `select *` of those that they belong to.
create table group_setting (
  management_group text collate "C" primary key references management_group (name),
  name text check (name <> ''), -- null until one is set
  limits text not null default '{}'
);

-- The share that a client has of the limits of its group.
create table client_limit (
  client_id text collate "C" primary key references client (id),
  limits text not null
);
