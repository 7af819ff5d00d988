-- What a command asked of the service that holds the data folder. The row is the job, as with reports.
create table task (
  guid text primary key check (guid = lower(guid)),
  kind text not null check (kind in ('verify', 'rebuild', 'backup')),
  argument text not null, -- JSON
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  created_at integer not null,
  started_at integer,
  finished_at integer,
  result text, -- JSON
  failure text,
  check (state <> 'queued' or started_at is null),
  check (state not in ('running', 'done') or started_at is not null),
  check ((state in ('queued', 'running')) = (finished_at is null)),
  check ((state = 'done') = (result is not null)),
  check ((state = 'failed') = (failure is not null))
) strict;

create index task_unfinished on task (created_at) where finished_at is null;
-- At most one runs: a backup and a rebuild would wait for each other's lane, and two backups only fill the disk.
create unique index task_running on task (state) where state = 'running';
