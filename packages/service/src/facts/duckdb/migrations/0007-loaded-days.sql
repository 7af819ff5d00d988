-- What is loaded of each restaurant and business date, and by which load: orders that stand, their checks as reports list
-- them, time entries that stand. A day that has nothing any more keeps its row, with the load that emptied it.
create table loaded_days (
  restaurant_id integer not null,
  business_date integer not null,
  orders bigint not null,
  checks bigint not null,
  time_entries bigint not null,
  load_id bigint not null, -- the last load that changed anything on the day; 0 before it was kept
  loaded_at bigint -- when, milliseconds UTC; null before it was kept
);

-- What small loads moved, until there is enough of it to fold into the table above.
create table new_loaded_days (
  restaurant_id integer not null,
  business_date integer not null,
  orders bigint not null,
  checks bigint not null,
  time_entries bigint not null,
  load_id bigint not null,
  loaded_at bigint
);

create view all_loaded_days as from loaded_days union all by name from new_loaded_days;

insert into loaded_days by name
select restaurant_id, business_date, sum(orders)::bigint as orders, sum(checks)::bigint as checks,
       sum(time_entries)::bigint as time_entries, 0 as load_id
  from (
         select restaurant_id, business_date, sum(kept) as orders, 0 as checks, 0 as time_entries
           from all_sheets group by all having sum(kept) <> 0
         union all
         select restaurant_id, business_date, 0, count(*), 0 from checks group by all
         union all
         select restaurant_id, business_date, 0, 0, count(*) from shifts where not deleted group by all
       )
 group by all;
