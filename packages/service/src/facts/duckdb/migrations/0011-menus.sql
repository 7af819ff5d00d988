-- The menus of restaurants: a row for each place in them, in the order of the document.
create table menu_entries (
  restaurant_id integer not null,
  place integer not null,
  parent integer,
  kind varchar not null,
  guid varchar not null,
  name varchar not null,
  is_first boolean not null,
  root_guid varchar,
  menu_guid varchar
);
