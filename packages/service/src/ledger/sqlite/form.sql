-- name: forgetForms :exec
delete from report_form where report_guid in (select value from json_each(:guids));
