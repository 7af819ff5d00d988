-- Payouts by settled date: the part of its query that follows `scope` of gather.sql. All of it comes from settlements.

-- name: payouts
, settled as (
  select * from settlements
   where settled_date between $start and $end and restaurant_id in ({ids}) and not deleted
), paid as (
  select restaurant_id, settled_date, unnest(transactions, recursive := true) from settled
), periods as (
  -- The first and the last payment by their instants: when clocks go back, the local time of a later one is earlier.
  select restaurant_id, settled_date, arg_min(paid_local, paid_at) as first_local, arg_max(paid_local, paid_at) as last_local
    from paid
   where not refund
   group by all
), dates as (
  select restaurant_id, settled_date,
         sum(transaction_count)::bigint as transaction_count, sum(payment_cents)::bigint as payment_cents,
         sum(refund_cents)::bigint as refund_cents, sum(fee_cents)::bigint as fee_cents,
         sum(withheld_cents)::bigint as withheld_cents,
         case when bool_or(status = 'NONE') then 'NONE' when bool_or(status = 'CAPTURED') then 'CAPTURED' else 'SENT' end as status
    from settled
   group by all
)
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
