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
