-- Order dates that small loads brought, until there are enough of them to go to the 64 tables: a group of small loads
-- touched 40 of those, and an append costs the same whatever it holds.
create table new_order_dates (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
