-- name: addForms :exec
-- `forms`: JSON array.
insert into report_form (report_guid, attempt, name, key, byte_count, sha256)
select :guid, :attempt, value ->> 'name', value ->> 'key', value ->> 'bytes', value ->> 'sha256'
  from json_each(:forms)
 where true
on conflict do nothing;

-- name: forgetForms :exec
delete from report_form where report_guid in (select value from json_each(:guids));
