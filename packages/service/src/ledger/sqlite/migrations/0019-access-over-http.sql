-- The secret before the last rotation stays valid for a day.
alter table client add column old_secret_hash text check (old_secret_hash like 'scrypt$%');
alter table client add column old_secret_until integer check ((old_secret_until is null) = (old_secret_hash is null));

-- Who has changed access over HTTP. A line is written before its change, so that there is no change without one.
create table audit (
  id integer primary key,
  at integer not null,
  management_group text not null, -- whose access was changed
  by_group text not null,
  client_id text not null, -- who changed it
  name text, -- of the person, where it was done in the console
  action text not null,
  target text not null,
  detail text not null check (json_valid(detail))
) strict;

create index audit_of_group on audit (management_group, id);
