-- Groups that are being removed. A row is deleted when nothing of the group is left in any store, so that a removal that was interrupted is
-- continued.
create table group_removal (
  management_group text primary key,
  requested_at integer not null
) strict, without rowid;

-- The numbers of restaurants of groups that were removed: they are not given again, and what a load in progress wrote is removed, too.
create table removed_restaurant (
  id integer primary key,
  removed_at integer not null
) strict;

-- Further kinds of tasks.
create table new_task (
  seq integer primary key, -- in the order in which they came
  guid text not null unique check (guid = lower(guid)),
  kind text not null check (kind in ('verify', 'rebuild', 'backup', 'remove-group', 'export-group')),
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
insert into new_task select * from task;
drop table task;
alter table new_task rename to task;
create unique index task_running on task (state) where state = 'running';
create index task_unfinished on task (created_at) where finished_at is null;
