create table orders (
  restaurant_id integer not null,
  order_guid uuid not null,
  business_date integer not null,
  business_hour tinyint not null,
  opened_at bigint not null,
  modified_at bigint not null,
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
  refund_cents bigint not null
);

create table shifts (
  restaurant_id integer not null,
  entry_guid uuid not null,
  business_date integer not null,
  in_at bigint not null,
  out_at bigint,
  modified_at bigint not null,
  deleted boolean not null,
  job_guid varchar,
  hourly boolean not null,
  micro_hours bigint not null,
  pay_cents bigint not null
);

-- Reference data: names of orders that carry GUIDs only, and which jobs count. `place` keeps the order of a list.
create table names (
  restaurant_id integer not null,
  kind varchar not null,
  guid varchar not null,
  name varchar,
  last_name varchar,
  wage_frequency varchar,
  excluded boolean
);

-- Cents as an exact decimal in currency units.
create macro money(cents) as (cast(cast(cents as bigint) as decimal(18, 0)) * 0.01)::decimal(18, 2);

-- A quotient of whole numbers, rounded half away from zero. The divisor is positive.
create macro rounded(dividend, divisor) as
  sign(dividend)::hugeint * ((2 * abs(dividend) + divisor) // (2 * divisor));
