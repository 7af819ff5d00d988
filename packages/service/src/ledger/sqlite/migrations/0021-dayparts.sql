-- How groups, and restaurants that differ, divide their day. A group without a row has the default.
create table daypart_set (
  management_group text not null references management_group (name),
  restaurant_guid text not null check (restaurant_guid = lower(restaurant_guid)), -- empty for the group's own
  dayparts text not null check (json_valid(dayparts)),
  primary key (management_group, restaurant_guid)
) strict, without rowid;

-- They decide what reports show: whoever holds the restaurants of a group reads them again.
create trigger dayparts_added after insert on daypart_set
begin
  update management_group set restaurants_version = restaurants_version + 1 where name = new.management_group;
end;

create trigger dayparts_changed after update on daypart_set
begin
  update management_group set restaurants_version = restaurants_version + 1 where name = new.management_group;
end;

create trigger dayparts_removed after delete on daypart_set
begin
  update management_group set restaurants_version = restaurants_version + 1 where name = old.management_group;
end;

-- Those that the rows of a report by daypart were made with: JSON.
alter table report_request add column dayparts text check (json_valid(dayparts));
