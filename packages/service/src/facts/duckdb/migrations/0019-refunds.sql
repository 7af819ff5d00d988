-- What orders add to the refunds of other dates and hours than their own.
create table refunds (
  restaurant_id integer not null,
  order_guid uuid not null,
  check_guid uuid not null,
  business_date integer not null, -- its own
  order_date integer not null, -- that of its order
  business_hour tinyint not null,
  opened_at bigint not null,
  load_id bigint not null,
  order_number bigint,
  check_number bigint,
  dining_guid varchar,
  dining_name varchar,
  revenue_guid varchar,
  revenue_name varchar,
  source varchar,
  modifier boolean, -- null: of the sales, not of an item
  item_guid varchar,
  item_name varchar,
  group_guid varchar,
  group_name varchar,
  menu_guid varchar,
  menu_name varchar,
  refund_cents bigint not null
);

create table past_refunds (
  restaurant_id integer not null,
  order_guid uuid not null,
  check_guid uuid not null,
  business_date integer not null, -- its own
  order_date integer not null, -- that of its order
  business_hour tinyint not null,
  opened_at bigint not null,
  load_id bigint not null,
  order_number bigint,
  check_number bigint,
  dining_guid varchar,
  dining_name varchar,
  revenue_guid varchar,
  revenue_name varchar,
  source varchar,
  modifier boolean, -- null: of the sales, not of an item
  item_guid varchar,
  item_name varchar,
  group_guid varchar,
  group_name varchar,
  menu_guid varchar,
  menu_name varchar,
  refund_cents bigint not null,
  until_load bigint not null,
  until_at bigint not null
);

-- How many rows a day has of parts with dates of their own: a day may have nothing else.
drop view all_loaded_days;
alter table loaded_days add column dated_parts bigint default 0;
alter table new_loaded_days add column dated_parts bigint default 0;
create view all_loaded_days as from loaded_days union all by name from new_loaded_days;
