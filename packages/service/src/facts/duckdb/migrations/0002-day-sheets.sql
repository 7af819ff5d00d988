-- rebuild
-- Loads are numbered: what was computed from the facts after load n differs from what is computed now by the versions
-- that came after n. A number, because a load that began before a snapshot may be committed after it.
create table last_load (load_id bigint not null);
insert into last_load values (0);

alter table orders rename to orders_before;
alter table checks rename to checks_before;
alter table shifts rename to shifts_before;

create table orders (
  restaurant_id integer not null,
  order_guid uuid not null,
  business_date integer not null,
  business_hour tinyint not null,
  opened_at bigint not null,
  modified_at bigint not null,
  load_id bigint not null,
  standing varchar not null,
  dining_guid varchar,
  dining_name varchar,
  revenue_guid varchar,
  revenue_name varchar,
  source varchar,
  guests integer not null,
  open boolean not null,
  has_void boolean not null,
  has_discount boolean not null,
  void_cents bigint not null,
  gross_cents bigint not null,
  discount_cents bigint not null,
  refund_cents bigint not null
);

create table checks (
  restaurant_id integer not null,
  order_guid uuid not null,
  check_guid uuid not null,
  business_date integer not null,
  opened_at bigint not null,
  load_id bigint not null,
  order_number bigint,
  check_number bigint,
  paid_at bigint,
  modified_at bigint,
  status varchar not null,
  voided boolean not null,
  dining_guid varchar,
  dining_name varchar,
  revenue_guid varchar,
  revenue_name varchar,
  server_guid varchar,
  server_name varchar,
  total_cents bigint not null,
  discount_cents bigint not null,
  tax_cents bigint not null,
  tip_cents bigint not null,
  gratuity_cents bigint not null,
  refund_cents bigint not null,
  void_cents bigint not null,
  sales_gross_cents bigint not null,
  sales_discount_cents bigint not null,
  sales_refund_cents bigint not null
);

create table shifts (
  restaurant_id integer not null,
  entry_guid uuid not null,
  business_date integer not null,
  in_at bigint not null,
  out_at bigint,
  modified_at bigint not null,
  load_id bigint not null,
  deleted boolean not null,
  job_guid varchar,
  hourly boolean not null,
  micro_hours bigint not null,
  pay_cents bigint not null,
  by_hour struct(hour tinyint, micro_hours bigint, pay_cents bigint)[] not null
);

-- Versions that a later one replaced, until no report can be asked about them any more.
create table past_orders (
  restaurant_id integer not null,
  order_guid uuid not null,
  business_date integer not null,
  business_hour tinyint not null,
  opened_at bigint not null,
  modified_at bigint not null,
  load_id bigint not null,
  standing varchar not null,
  dining_guid varchar,
  dining_name varchar,
  revenue_guid varchar,
  revenue_name varchar,
  source varchar,
  guests integer not null,
  open boolean not null,
  has_void boolean not null,
  has_discount boolean not null,
  void_cents bigint not null,
  gross_cents bigint not null,
  discount_cents bigint not null,
  refund_cents bigint not null,
  until_load bigint not null,
  until_at bigint not null
);

create table past_checks (
  restaurant_id integer not null,
  order_guid uuid not null,
  check_guid uuid not null,
  business_date integer not null,
  opened_at bigint not null,
  load_id bigint not null,
  order_number bigint,
  check_number bigint,
  paid_at bigint,
  modified_at bigint,
  status varchar not null,
  voided boolean not null,
  dining_guid varchar,
  dining_name varchar,
  revenue_guid varchar,
  revenue_name varchar,
  server_guid varchar,
  server_name varchar,
  total_cents bigint not null,
  discount_cents bigint not null,
  tax_cents bigint not null,
  tip_cents bigint not null,
  gratuity_cents bigint not null,
  refund_cents bigint not null,
  void_cents bigint not null,
  sales_gross_cents bigint not null,
  sales_discount_cents bigint not null,
  sales_refund_cents bigint not null,
  until_load bigint not null,
  until_at bigint not null
);

create table past_shifts (
  restaurant_id integer not null,
  entry_guid uuid not null,
  business_date integer not null,
  in_at bigint not null,
  out_at bigint,
  modified_at bigint not null,
  load_id bigint not null,
  deleted boolean not null,
  job_guid varchar,
  hourly boolean not null,
  micro_hours bigint not null,
  pay_cents bigint not null,
  by_hour struct(hour tinyint, micro_hours bigint, pay_cents bigint)[] not null,
  until_load bigint not null,
  until_at bigint not null
);

insert into orders by name select *, 0 as load_id from orders_before;
-- The time zone that tells the hours of an entry is not known here: until it is loaded again it stands in its first hour of UTC.
insert into shifts by name
select *, 0 as load_id,
       case when out_at is null then [] else [{
         'hour': ((in_at // 3600000) % 24)::tinyint, 'micro_hours': micro_hours, 'pay_cents': pay_cents
       }] end as by_hour
  from shifts_before;
-- What each check adds to the metrics was not kept: an order's sums go to its first check that is not voided.
insert into checks by name
select c.*, 0 as load_id,
       case when c.check_guid = coalesce(f.live, f.any_check) then o.void_cents else 0 end as void_cents,
       case when c.check_guid = f.live then o.gross_cents else 0 end as sales_gross_cents,
       case when c.check_guid = f.live then o.discount_cents else 0 end as sales_discount_cents,
       case when c.check_guid = f.live then o.refund_cents else 0 end as sales_refund_cents
  from checks_before c
  join orders_before o using (restaurant_id, business_date, order_guid)
  join (
         select restaurant_id, business_date, order_guid,
                min(check_guid) filter (not voided) as live, min(check_guid) as any_check
           from checks_before group by all
       ) f using (restaurant_id, business_date, order_guid);
drop table orders_before;
drop table checks_before;
drop table shifts_before;

-- Day sheets: what every report by day reads, 10 to 25 times fewer rows than orders. Names are looked up when a report
-- is gathered, since reference data may come later.
create table sheets (
  restaurant_id integer not null,
  business_date integer not null,
  dining_guid varchar,
  dining_name varchar,
  revenue_guid varchar,
  revenue_name varchar,
  source varchar,
  -- Orders that are not gone: a sheet without any is none.
  kept bigint not null,
  guests bigint not null,
  orders bigint not null,
  open_orders bigint not null,
  void_orders bigint not null,
  discount_orders bigint not null,
  void_cents bigint not null,
  gross_cents bigint not null,
  discount_cents bigint not null,
  refund_cents bigint not null
);

-- Ended hourly time entries of a day by job; which jobs count is reference data.
create table labour_sheets (
  restaurant_id integer not null,
  business_date integer not null,
  job_guid varchar,
  entries bigint not null,
  micro_hours bigint not null,
  pay_cents bigint not null
);

-- As before, in the type of its arguments: a hugeint quotient took eight times as long.
create or replace macro rounded(dividend, divisor) as
  sign(dividend) * ((2 * abs(dividend) + divisor) // (2 * divisor));

-- The first 32 bits of an order's GUID, as it is in order_dates.
create macro guid_head(guid) as ('0x' || left(guid::varchar, 8))::uinteger;

-- On which business dates an order may stand. Finding a batch among 50 M orders took 102 ms, through these 6: they are
-- 64 so that a load looks at one of them, restaurant_id modulo 64. Rows are only added: one too many costs a look.
create table order_dates_00 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_01 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_02 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_03 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_04 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_05 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_06 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_07 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_08 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_09 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_10 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_11 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_12 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_13 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_14 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_15 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_16 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_17 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_18 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_19 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_20 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_21 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_22 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_23 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_24 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_25 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_26 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_27 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_28 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_29 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_30 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_31 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_32 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_33 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_34 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_35 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_36 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_37 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_38 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_39 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_40 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_41 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_42 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_43 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_44 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_45 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_46 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_47 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_48 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_49 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_50 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_51 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_52 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_53 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_54 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_55 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_56 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_57 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_58 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_59 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_60 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_61 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_62 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
create table order_dates_63 (restaurant_id integer not null, guid_head uinteger not null, business_date integer not null);
