-- The forms of reports that are kept as files. Reports made before have none: each is added when it is asked for.
create table report_form (
  report_guid text not null,
  attempt integer not null check (attempt >= 1),
  name text not null check (name <> ''),
  key text not null check (key <> ''), -- by which the results find it
  byte_count integer not null check (byte_count >= 0),
  sha256 text, -- base64; null of a large one until it was hashed
  primary key (report_guid, attempt, name)
) strict, without rowid;
