-- Checks: the query over the tables of gather.sql, and the figures of changes.

-- name: onlyChecks :part
and c.restaurant_id in ({ids})

-- name: checks :query
select r.guid as "restaurantGuid",
       c.order_number as "orderNumber",
       c.order_guid as "orderGuid",
       c.check_number as "checkNumber",
       c.check_guid as "checkGuid",
       c.business_date as "orderOpenDate",
       c.paid_at as "checkPaidDateTime",
       c.modified_at as "checkModifiedDateTime",
       c.status as "checkStatus",
       c.voided as "checkVoidedStatus",
       coalesce(c.dining_name, d.name, $noDining) as "diningOption",
       coalesce(c.revenue_name, v.name, $noRevenue) as "revenueCenter",
       coalesce(c.server_name, nullif(concat_ws(' ', nullif(e.name, ''), nullif(e.last_name, '')), '')) as "serverName",
       c.total_cents as "checkTotalAmount",
       c.discount_cents as "checkDiscountAmount",
       c.tax_cents as "checkTaxAmount",
       c.tip_cents as "checkTipAmount",
       c.gratuity_cents as "checkGratuityAmount",
       c.refund_cents as "checkRefundAmount",
       r.name as "restaurantName" {currency}
  from checks c
  join scope r on r.id = c.restaurant_id
  left join named d on d.kind = 'dining' and d.restaurant_id = c.restaurant_id and d.guid = c.dining_guid
  left join named v on v.kind = 'revenue' and v.restaurant_id = c.restaurant_id and v.guid = c.revenue_guid
  left join named e on e.kind = 'employee' and e.restaurant_id = c.restaurant_id and e.guid = c.server_guid
 where c.business_date between $start and $end {only}
 order by r.guid, c.business_date, c.opened_at, c.check_number nulls last, c.check_guid

-- name: checkChanges :with
figures as (
  select coalesce(a.restaurant, b.restaurant) as restaurant, coalesce(a.order_guid, b.order_guid)::varchar as order_guid,
         coalesce(a.check_guid, b.check_guid)::varchar as guid, coalesce(a.business_date, b.business_date) as on_date,
         coalesce(a.order_number, b.order_number) as order_number,
         coalesce(a.check_number, b.check_number) as check_number,
         case when b.check_guid is not null then struct_pack(
           "businessDate" := b.business_date, "checkStatus" := b.status, "checkVoidedStatus" := b.voided, "checkTotalAmount" := b.total_cents,
           "checkDiscountAmount" := b.discount_cents, "checkTaxAmount" := b.tax_cents, "checkTipAmount" := b.tip_cents,
           "checkGratuityAmount" := b.gratuity_cents, "checkRefundAmount" := b.refund_cents) end as before,
         case when a.check_guid is not null then struct_pack(
           "businessDate" := a.business_date, "checkStatus" := a.status, "checkVoidedStatus" := a.voided, "checkTotalAmount" := a.total_cents,
           "checkDiscountAmount" := a.discount_cents, "checkTaxAmount" := a.tax_cents, "checkTipAmount" := a.tip_cents,
           "checkGratuityAmount" := a.gratuity_cents, "checkRefundAmount" := a.refund_cents) end as after
    from before b full join after a using (restaurant_id, order_guid, check_guid)
)
