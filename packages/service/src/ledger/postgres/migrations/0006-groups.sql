-- Whether the refunds of a restaurant count on the date of the refund, or on that of its order.
alter table restaurant add column refunds_on text not null default 'refund' check (refunds_on in ('refund', 'order'));

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

-- Groups that are being removed. A row is deleted when nothing of the group is left in any store, so that a removal that was interrupted is
-- continued.
create table group_removal (
  management_group text collate "C" primary key,
  requested_at bigint not null
);

-- The numbers of restaurants of groups that were removed: they are not given again, and what a load in progress wrote is removed, too.
create table removed_restaurant (
  id bigint primary key,
  removed_at bigint not null
);

-- Further kinds of tasks. A node of the version before that claims one verifies the facts instead; a removal is requested again then.
alter table task drop constraint task_kind_check;
alter table task add constraint task_kind_check check (kind in ('verify', 'rebuild', 'backup', 'remove-group', 'export-group'));
