-- The rollups of a restaurant, a date and an item that are not the only one: an item sold from two groups, or renamed that day. Reports by item
-- add up these and take the others as they are; to find them among 366 k rollups took a fifth of a report.
create table menu_repeats (
  restaurant_id integer not null,
  business_date integer not null,
  modifier boolean not null,
  item_guid varchar,
  item_name varchar
);

insert into menu_repeats by name
select restaurant_id, business_date, modifier, item_guid, item_name
  from menu_sheets
qualify count(*) over (partition by restaurant_id, business_date, modifier, item_guid) > 1;

-- All rollups of a day that small loads changed may repeat an item.
create view repeated_menu_sheets as
  from menu_repeats
 union all by name
select restaurant_id, business_date, modifier, item_guid, item_name
  from all_menu_sheets semi join new_menu_sheets using (restaurant_id, business_date);
