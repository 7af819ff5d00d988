-- Single records, as they are stored. On ClickHouse the tables are what was fetched of them.

-- name: timeEntries :many :read
-- Entries that count in labor, in an order that has no equal rows. As there, a job that the reference data has is named by it alone.
select s.entry_guid::varchar as entry_guid, s.business_date, s.in_at, s.out_at, s.job_guid,
       case when j.guid is null then s.job_title else nullif(j.name, '') end as job_title, s.employee_guid,
       s.micro_hours - s.overtime_micro as regular_micro, s.overtime_micro,
       s.pay_cents - s.overtime_cents as regular_cents, s.overtime_cents
  from shifts s
  left join names j on j.restaurant_id = s.restaurant_id and j.kind = 'job' and j.guid = s.job_guid
 where s.restaurant_id = $restaurant and s.business_date between $from and $to
   and entry_counts(s.deleted, s.hourly, s.out_at) and job_counts(j.wage_frequency, j.excluded) {ofEmployee} {afterEntry}
 order by s.business_date, s.in_at, s.entry_guid
 limit $limit;

-- name: ofEmployee :part
and s.employee_guid = $employee

-- name: afterEntry :part
and (s.business_date, s.in_at, s.entry_guid) > ($afterDate::integer, $afterIn::bigint, $afterGuid::uuid)

-- name: findCheck :many :read
-- The order of a check and its date, by which everything else of it is found.
select order_guid::varchar as order_guid, business_date
  from checks
 where restaurant_id = $restaurant and check_guid = $check::uuid
 order by business_date desc, opened_at desc, order_guid desc
 limit 1;

-- name: ofCheck :part
restaurant_id = $restaurant and {date} = $date and order_guid = $order::uuid and check_guid = $check::uuid

-- name: checkFound :many :read
select order_guid::varchar as order_guid, check_guid::varchar as check_guid, business_date, order_number, check_number, paid_at, status, voided,
       total_cents, discount_cents, tax_cents, tip_cents, gratuity_cents, refund_cents
  from checks
 where {ofCheck};

-- name: checkItems :many :read
-- A line has the refunds of the date of its order, those of other dates are rows of their own.
select modifier, item_guid, item_name, group_name, menu_name, sum(quantity)::bigint as quantity, sum(gross_cents)::bigint as gross_cents,
       sum(discount_cents)::bigint as discount_cents, sum(refund_cents)::bigint as refund_cents, sum(void_cents)::bigint as void_cents
  from (
         select modifier, item_guid, item_name, group_guid, group_name, menu_guid, menu_name, quantity, gross_cents, discount_cents,
                refund_cents, void_cents
           from lines
          where {ofCheck}
         union all
         select modifier, item_guid, item_name, group_guid, group_name, menu_guid, menu_name, 0, 0, 0, refund_cents, 0
           from refunds
          where {ofRefunds} and modifier is not null
       )
 group by modifier, item_guid, item_name, group_guid, group_name, menu_guid, menu_name
 order by modifier, item_name nulls last, item_guid nulls last, group_guid nulls last, group_name nulls last, menu_guid nulls last,
          menu_name nulls last;

-- name: checkPayments :many :read
select payment_guid::varchar as payment_guid, paid_at, card_brand, card_type, total_cents, tip_cents, gratuity_cents, refund_cents
  from card_payments
 where {ofCheck} and captured
 order by paid_at, payment_guid;

-- name: checkRefunds :many :read
-- Rows that move a refund from hour to hour add up to nothing.
select business_date, sum(refund_cents)::bigint as refund_cents
  from (
         select business_date, sales_refund_cents as refund_cents from checks where {ofCheck}
         union all
         select business_date, refund_cents from refunds where {ofRefunds} and modifier is null
       )
 group by business_date
having sum(refund_cents) <> 0
 order by business_date;
