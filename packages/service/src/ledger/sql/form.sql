-- name: form :one :read
select * from report_form where report_guid = :guid and attempt = :attempt and name = :name;

-- name: digestForm :exec
update report_form set sha256 = :sha256
 where report_guid = :guid and attempt = :attempt and name = :name and key = :key;

-- name: forms :many :read
select * from report_form
 where report_guid = :guid and (cast(:attempt as bigint) is null or attempt = :attempt)
 order by attempt, name;

-- name: forgetForm :exec
delete from report_form where report_guid = :guid and attempt = :attempt and name = :name and key = :key;

-- name: unreadableForms :many :read
select distinct report_guid as guid
  from report_form
 where not exists (
   select 1 from report_request
    where report_request.guid = report_form.report_guid and state not in ('expired', 'cancelled')
 )
 limit :limit;
