-- Payouts and card payments: their tables after those of gather.sql, and their queries.

-- name: deposits :with
-- By settled date, from settlements. For payments without a time, that of the loaded payment is used.
deposits as (
  select * from settlements
   where settled_date between $start and $end and restaurant_id in ({ids}) and not deleted
), paid as (
  select restaurant_id, settled_date, payment_guid, paid_at, paid_local
    from (select restaurant_id, settled_date, unnest(transactions, recursive := true) from deposits)
   where not refund
), times as (
  select restaurant_id, settled_date, paid_at, paid_local from paid where paid_at is not null
  union all
  select p.restaurant_id, p.settled_date, c.paid_at, c.paid_local
    from card_payments c
    join (from paid where paid_at is null) p using (restaurant_id, payment_guid)
), periods as (
  -- The first and the last payment by their instants: when clocks go back, the local time of a later one is earlier.
  select restaurant_id, settled_date, arg_min(paid_local, paid_at) as first_local, arg_max(paid_local, paid_at) as last_local
    from times
   group by all
), dates as (
  select restaurant_id, settled_date,
         sum(transaction_count)::bigint as transaction_count, sum(payment_cents)::bigint as payment_cents,
         sum(refund_cents)::bigint as refund_cents, sum(fee_cents)::bigint as fee_cents,
         sum(withheld_cents)::bigint as withheld_cents,
         case when bool_or(status = 'NONE') then 'NONE' when bool_or(status = 'CAPTURED') then 'CAPTURED' else 'SENT' end as status
    from deposits
   group by all
)

-- name: payouts :query
select {restaurant},
       d.settled_date as "settledDate",
       p.first_local as "salesPeriodStartDateTime",
       p.last_local as "salesPeriodEndDateTime",
       d.transaction_count as "transactionCount",
       d.payment_cents as "paymentAmount",
       d.refund_cents as "refundAmount",
       d.fee_cents as "totalFeeAmount",
       d.withheld_cents as "withholdingAmount",
       d.payment_cents - d.refund_cents - d.fee_cents - d.withheld_cents as "payoutAmount",
       d.status as "payoutStatus" {currency}
  from dates d
  join scope r on r.id = d.restaurant_id
  left join periods p using (restaurant_id, settled_date)
 order by r.guid, d.settled_date

-- name: soldPayments :with
sold_payments as (
  select * from card_payments
   where sales_date between $start and $end and captured and restaurant_id in ({ids})
), named_in as (
  -- The settlements that name one of these payments.
  select restaurant_id, settled_date, payment_guid, refund
    from (
           select restaurant_id, settled_date, unnest(transactions, recursive := true)
             from settlements
            where restaurant_id in ({ids}) and not deleted
         )
   where payment_guid in (select payment_guid from sold_payments)
)

-- name: settled :with
settled as (
  select restaurant_id, payment_guid, min(settled_date) as settled_date from named_in where not refund group by all
)

-- name: payments :query
select {restaurant},
       p.order_guid as "orderGuid",
       p.check_guid as "checkGuid",
       p.payment_guid as "paymentGuid",
       s.settled_date as "settledDate",
       p.opened_local as "orderOpenDateTime",
       p.paid_local as "paidDateTime",
       p.card_brand as "paymentCardBrand",
       p.card_type as "paymentCardType",
       p.tip_cents as "tipAmount",
       p.gratuity_cents as "gratuityAmount",
       p.total_cents - p.tip_cents - p.gratuity_cents as "paymentSubtotal",
       p.total_cents as "paymentTotal" {currency}
  from sold_payments p
  join scope r on r.id = p.restaurant_id
  left join settled s using (restaurant_id, payment_guid)
 order by r.guid, p.paid_at, p.payment_guid

-- name: settledDates :with
settled as (
  select p.restaurant_id, p.sales_date, list_sort(list_distinct(list(n.settled_date))) as settled_dates
    from (select distinct restaurant_id, sales_date, payment_guid from sold_payments) p
    join named_in n using (restaurant_id, payment_guid)
   group by all
), dates as (
  select restaurant_id, sales_date, count(*) as transaction_count, sum(total_cents)::bigint as payment_cents,
         sum(refund_cents)::bigint as refund_cents, sum(fee_cents)::bigint as fee_cents,
         sum(withheld_cents)::bigint as withheld_cents
    from sold_payments
   group by all
)

-- name: salesDates :query
select {restaurant},
       d.sales_date as "salesDate",
       coalesce(s.settled_dates, []::integer[]) as "settledDates",
       d.transaction_count as "transactionCount",
       d.payment_cents as "paymentAmount",
       d.refund_cents as "refundAmount",
       d.fee_cents as "totalFeeAmount",
       d.withheld_cents as "withholdingAmount",
       d.payment_cents - d.refund_cents - d.fee_cents - d.withheld_cents as "payoutAmount" {currency}
  from dates d
  join scope r on r.id = d.restaurant_id
  left join settled s using (restaurant_id, sales_date)
 order by r.guid, d.sales_date

-- name: guests :query
select {restaurant},
       p.sales_date as "paymentDate",
       p.order_guid as "orderGuid",
       p.payment_guid as "paymentGuid",
       {fingerprint} as "cardFingerprint" {currency}
  from card_payments p
  join scope r on r.id = p.restaurant_id
 where p.sales_date between $start and $end and p.restaurant_id in ({ids})
 order by r.guid, p.sales_date, p.paid_at, p.payment_guid

-- name: guestTotals :one :read
select count(*) as "rows", count("cardFingerprint") as "paymentsWithFingerprint" from {snapshot};
