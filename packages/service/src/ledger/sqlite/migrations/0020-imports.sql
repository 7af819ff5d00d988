-- What became of the exports that were imported over HTTP.
create table import_run (
  seq integer primary key,
  id text not null unique,
  management_group text not null references management_group (name),
  restaurant_guid text not null,
  business_date integer not null,
  client_id text not null,
  at integer not null,
  report text not null check (json_valid(report))
) strict;

create index import_run_of_group on import_run (management_group, seq);
create index import_run_end on import_run (at);
