-- Settlements of card payments. Of a deleted one the date is 0 and nothing is named.
create table settlements (
  restaurant_id integer not null,
  settlement_guid uuid not null,
  settled_date integer not null,
  modified_at bigint not null,
  load_id bigint not null,
  deleted boolean not null,
  status varchar not null,
  transaction_count bigint not null,
  payment_cents bigint not null,
  refund_cents bigint not null,
  fee_cents bigint not null,
  withheld_cents bigint not null,
  transactions struct(payment_guid uuid, refund boolean, paid_at bigint, paid_local bigint)[] not null
);
create table past_settlements as select *, 0::bigint as until_load, 0::bigint as until_at from settlements limit 0;
