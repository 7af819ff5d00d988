-- The card payments of orders that were neither voided nor denied. Local times are whole seconds of the restaurant's wall
-- clock, as milliseconds as if they were UTC.
create table card_payments (
  restaurant_id integer not null,
  order_guid uuid not null,
  check_guid uuid not null,
  payment_guid uuid not null,
  business_date integer not null, -- of the order
  opened_at bigint not null,
  load_id bigint not null,
  sales_date integer not null, -- of the payment
  captured boolean not null,
  opened_local bigint not null,
  paid_at bigint not null,
  paid_local bigint not null,
  card_brand varchar,
  card_type varchar not null,
  total_cents bigint not null,
  tip_cents bigint not null,
  gratuity_cents bigint not null,
  refund_cents bigint not null,
  fee_cents bigint not null,
  withheld_cents bigint not null,
  fingerprint uuid
);

create table past_card_payments (
  restaurant_id integer not null,
  order_guid uuid not null,
  check_guid uuid not null,
  payment_guid uuid not null,
  business_date integer not null,
  opened_at bigint not null,
  load_id bigint not null,
  sales_date integer not null,
  captured boolean not null,
  opened_local bigint not null,
  paid_at bigint not null,
  paid_local bigint not null,
  card_brand varchar,
  card_type varchar not null,
  total_cents bigint not null,
  tip_cents bigint not null,
  gratuity_cents bigint not null,
  refund_cents bigint not null,
  fee_cents bigint not null,
  withheld_cents bigint not null,
  fingerprint uuid,
  until_load bigint not null,
  until_at bigint not null
);
