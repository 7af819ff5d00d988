-- What an order sold, voided or wasted, added up by check, item and names; quantities in millionths.
create table lines (
  restaurant_id integer not null,
  order_guid uuid not null,
  check_guid uuid not null,
  business_date integer not null,
  opened_at bigint not null,
  load_id bigint not null,
  modifier boolean not null,
  item_guid varchar,
  item_name varchar,
  group_guid varchar,
  group_name varchar,
  menu_guid varchar,
  menu_name varchar,
  quantity bigint not null,
  gross_cents bigint not null,
  discount_cents bigint not null,
  refund_cents bigint not null,
  void_cents bigint not null,
  waste_quantity bigint not null,
  waste_cents bigint not null
);

create table past_lines (
  restaurant_id integer not null,
  order_guid uuid not null,
  check_guid uuid not null,
  business_date integer not null,
  opened_at bigint not null,
  load_id bigint not null,
  modifier boolean not null,
  item_guid varchar,
  item_name varchar,
  group_guid varchar,
  group_name varchar,
  menu_guid varchar,
  menu_name varchar,
  quantity bigint not null,
  gross_cents bigint not null,
  discount_cents bigint not null,
  refund_cents bigint not null,
  void_cents bigint not null,
  waste_quantity bigint not null,
  waste_cents bigint not null,
  until_load bigint not null,
  until_at bigint not null
);

-- The same by business date. Names are as they were sold; a rename makes a row of its own.
create table menu_sheets (
  restaurant_id integer not null,
  business_date integer not null,
  modifier boolean not null,
  item_guid varchar,
  item_name varchar,
  group_guid varchar,
  group_name varchar,
  menu_guid varchar,
  menu_name varchar,
  kept bigint not null,
  quantity bigint not null,
  gross_cents bigint not null,
  discount_cents bigint not null,
  refund_cents bigint not null,
  void_cents bigint not null,
  waste_quantity bigint not null,
  waste_cents bigint not null
);

create table new_menu_sheets (
  restaurant_id integer not null,
  business_date integer not null,
  modifier boolean not null,
  item_guid varchar,
  item_name varchar,
  group_guid varchar,
  group_name varchar,
  menu_guid varchar,
  menu_name varchar,
  kept bigint not null,
  quantity bigint not null,
  gross_cents bigint not null,
  discount_cents bigint not null,
  refund_cents bigint not null,
  void_cents bigint not null,
  waste_quantity bigint not null,
  waste_cents bigint not null
);

create view all_menu_sheets as from menu_sheets union all by name from new_menu_sheets;
