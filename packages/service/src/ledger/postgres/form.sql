-- name: forgetForms :exec
delete from report_form where report_guid in (select json_array_elements_text(:guids::json));
