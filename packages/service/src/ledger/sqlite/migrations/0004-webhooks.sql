-- Where a client wants to be called when its reports end. The secrets sign, so they are kept as they are.
create table webhook (
  management_group text not null references management_group (name),
  client_id text not null, -- clients of an outside issuer are not in the ledger
  url text not null,
  secret text not null check (secret like 'whsec_%'),
  old_secret text check (old_secret like 'whsec_%'),
  old_secret_until integer,
  created_at integer not null,
  off_at integer, -- its receiver answered 410
  primary key (management_group, client_id),
  check ((old_secret is null) = (old_secret_until is null))
) strict;

-- The row is the job, as with reports; it is written in the step that ends the report.
create table delivery (
  id text primary key, -- `webhook-id`: the same in every attempt
  management_group text not null,
  client_id text not null,
  type text not null check (type in ('report.completed', 'report.failed', 'webhook.test')),
  report_guid text,
  state text not null check (state in ('waiting', 'delivered', 'given_up')),
  attempt integer not null default 0 check (attempt >= 0),
  created_at integer not null,
  next_at integer, -- of the next attempt; while one is under way, when it counts as lost
  attempted_at integer,
  status integer,
  error text,
  foreign key (management_group, client_id) references webhook (management_group, client_id) on delete cascade,
  check ((state = 'waiting') = (next_at is not null)),
  check ((type = 'webhook.test') = (report_guid is null)),
  check (state <> 'delivered' or (attempt >= 1 and status between 200 and 299 and error is null))
) strict;

create index delivery_due on delivery (management_group, client_id, next_at) where state = 'waiting';
create index delivery_of_client on delivery (management_group, client_id, created_at);
create index delivery_end on delivery (created_at) where state <> 'waiting';
