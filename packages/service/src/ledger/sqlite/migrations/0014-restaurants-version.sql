-- Counts the changes of a group's restaurants, so that those that are held in memory are known to be current.
alter table management_group add column restaurants_version integer not null default 0;

create trigger restaurant_added after insert on restaurant
begin
  update management_group set restaurants_version = restaurants_version + 1 where name = new.management_group;
end;

create trigger restaurant_changed after update on restaurant
begin
  update management_group set restaurants_version = restaurants_version + 1 where name = new.management_group;
end;
