-- What labor reports read of time entries: who worked, and which part of hours and pay was overtime. Entries that were loaded
-- before have no employee, and all of their hours are regular.
alter table shifts add column employee_guid varchar;
alter table shifts add column employee_first varchar;
alter table shifts add column employee_last varchar;
alter table shifts add column employee_chosen varchar;
alter table shifts add column job_title varchar;
alter table shifts add column job_code varchar;
alter table shifts add column overtime_micro bigint default 0;
alter table shifts add column overtime_cents bigint default 0;
alter table past_shifts add column employee_guid varchar;
alter table past_shifts add column employee_first varchar;
alter table past_shifts add column employee_last varchar;
alter table past_shifts add column employee_chosen varchar;
alter table past_shifts add column job_title varchar;
alter table past_shifts add column job_code varchar;
alter table past_shifts add column overtime_micro bigint default 0;
alter table past_shifts add column overtime_cents bigint default 0;

alter table names add column chosen_name varchar;
alter table names add column code varchar;

drop view all_labour_sheets;
alter table labour_sheets add column employee_guid varchar;
alter table labour_sheets add column overtime_micro bigint default 0;
alter table labour_sheets add column overtime_cents bigint default 0;
alter table new_labour_sheets add column employee_guid varchar;
alter table new_labour_sheets add column overtime_micro bigint default 0;
alter table new_labour_sheets add column overtime_cents bigint default 0;
create view all_labour_sheets as from labour_sheets union all by name from new_labour_sheets;
