-- name: addForms :exec
-- `forms`: JSON array.
insert into report_form (report_guid, attempt, name, key, byte_count, sha256)
select :guid, :attempt::bigint, form.name, form.key, form.bytes, form.sha256
  from json_to_recordset(:forms::json) as form (name text, key text, bytes bigint, sha256 text)
on conflict do nothing;

-- name: forgetForms :exec
delete from report_form where report_guid in (select json_array_elements_text(:guids::json));
