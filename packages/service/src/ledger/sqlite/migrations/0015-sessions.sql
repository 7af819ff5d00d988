-- Sessions of people who use the console. Only the cookie opens one, and of that the hash is kept.
create table session (
  id text primary key,
  cookie_hash text not null unique,
  client_id text not null references client (id),
  name text,
  scopes text not null check (json_valid(scopes)),
  created_at integer not null,
  seen_at integer not null,
  ends_at integer not null
) strict;

create index session_of_client on session (client_id);

-- One-time links: each opens one session of a client.
create table sign_in_link (
  key_hash text primary key,
  client_id text not null references client (id),
  name text,
  scopes text not null check (json_valid(scopes)),
  created_at integer not null,
  ends_at integer not null,
  spent_at integer
) strict;
