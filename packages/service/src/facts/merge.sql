-- name: readOrders
create or replace temp table batch as
select * from read_json($file, format = 'newline_delimited', columns = {
  seq: 'BIGINT', order_guid: 'UUID', business_date: 'INTEGER', business_hour: 'TINYINT', opened_at: 'BIGINT',
  modified_at: 'BIGINT', standing: 'VARCHAR', dining_guid: 'VARCHAR', dining_name: 'VARCHAR', revenue_guid: 'VARCHAR',
  revenue_name: 'VARCHAR', source: 'VARCHAR', guests: 'INTEGER', open: 'BOOLEAN', has_void: 'BOOLEAN',
  has_discount: 'BOOLEAN', void_cents: 'BIGINT', gross_cents: 'BIGINT', discount_cents: 'BIGINT', refund_cents: 'BIGINT'
});

-- name: findOrders
create or replace temp table stored as
select order_guid, business_date, max(modified_at) as modified_at from orders
 where restaurant_id = $restaurant and order_guid in (select order_guid from batch)
 group by all;

-- name: judgeOrders
-- As if the records came one by one: each is held against the newest version before it, stored or in the batch.
create or replace temp table verdict as
with held as (
  select b.seq, b.order_guid, b.modified_at, s.modified_at as stored_at,
         max(b.modified_at) over (
           partition by b.order_guid order by b.seq rows between unbounded preceding and 1 preceding
         ) as before_at
    from batch b left join stored s using (order_guid)
), judged as (
  select seq, order_guid,
         modified_at >= coalesce(stored_at, modified_at) and modified_at >= coalesce(before_at, modified_at) as accepted
    from held
)
select seq, order_guid, accepted,
       accepted and seq = max(seq) filter (accepted) over (partition by order_guid) as wins
  from judged;

-- name: deleteOrders
-- On the business date of the stored version: without a date it took 30 ms over 20 M rows, with it 1.3.
delete from orders
 where restaurant_id = $restaurant
   and business_date in (select business_date from stored)
   and (business_date, order_guid) in (
         select business_date, order_guid from stored where order_guid in (select order_guid from verdict where wins)
       );

-- name: deleteChecks
delete from checks
 where restaurant_id = $restaurant
   and business_date in (select business_date from stored)
   and (business_date, order_guid) in (
         select business_date, order_guid from stored where order_guid in (select order_guid from verdict where wins)
       );

-- name: insertOrders
insert into orders by name
select $restaurant::integer as restaurant_id, b.* exclude (seq)
  from batch b
 where b.seq in (select seq from verdict where wins);

-- name: insertChecks
insert into checks by name
select $restaurant::integer as restaurant_id, c.* exclude (seq)
  from read_json($file, format = 'newline_delimited', columns = {
         seq: 'BIGINT', order_guid: 'UUID', check_guid: 'UUID', business_date: 'INTEGER', opened_at: 'BIGINT',
         order_number: 'BIGINT', check_number: 'BIGINT', paid_at: 'BIGINT', modified_at: 'BIGINT', status: 'VARCHAR',
         voided: 'BOOLEAN', dining_guid: 'VARCHAR', dining_name: 'VARCHAR', revenue_guid: 'VARCHAR',
         revenue_name: 'VARCHAR', server_guid: 'VARCHAR', server_name: 'VARCHAR', total_cents: 'BIGINT',
         discount_cents: 'BIGINT', tax_cents: 'BIGINT', tip_cents: 'BIGINT', gratuity_cents: 'BIGINT',
         refund_cents: 'BIGINT'
       }) c
 where c.seq in (select seq from verdict where wins);

-- name: readShifts
create or replace temp table batch as
select * from read_json($file, format = 'newline_delimited', columns = {
  seq: 'BIGINT', entry_guid: 'UUID', business_date: 'INTEGER', in_at: 'BIGINT', out_at: 'BIGINT', modified_at: 'BIGINT',
  deleted: 'BOOLEAN', job_guid: 'VARCHAR', hourly: 'BOOLEAN', micro_hours: 'BIGINT', pay_cents: 'BIGINT'
});

-- name: findShifts
create or replace temp table stored as
select entry_guid, business_date, max(modified_at) as modified_at from shifts
 where restaurant_id = $restaurant and entry_guid in (select entry_guid from batch)
 group by all;

-- name: judgeShifts
create or replace temp table verdict as
with held as (
  select b.seq, b.entry_guid, b.modified_at, s.modified_at as stored_at,
         max(b.modified_at) over (
           partition by b.entry_guid order by b.seq rows between unbounded preceding and 1 preceding
         ) as before_at
    from batch b left join stored s using (entry_guid)
), judged as (
  select seq, entry_guid,
         modified_at >= coalesce(stored_at, modified_at) and modified_at >= coalesce(before_at, modified_at) as accepted
    from held
)
select seq, entry_guid, accepted,
       accepted and seq = max(seq) filter (accepted) over (partition by entry_guid) as wins
  from judged;

-- name: deleteShifts
delete from shifts
 where restaurant_id = $restaurant
   and business_date in (select business_date from stored)
   and (business_date, entry_guid) in (
         select business_date, entry_guid from stored where entry_guid in (select entry_guid from verdict where wins)
       );

-- name: insertShifts
insert into shifts by name
select $restaurant::integer as restaurant_id, b.* exclude (seq)
  from batch b
 where b.seq in (select seq from verdict where wins);

-- name: counts
select count(*) filter (accepted) as accepted, count(*) filter (not accepted) as unchanged from verdict;
