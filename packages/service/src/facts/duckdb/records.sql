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
 limit $limit

-- name: ofEmployee :part
and s.employee_guid = $employee

-- name: afterEntry :part
and (s.business_date, s.in_at, s.entry_guid) > ($afterDate::integer, $afterIn::bigint, $afterGuid::uuid)
