-- What the move of a data folder reads. {table} and {columns} are names of the catalog.

-- name: tables
select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name;

-- name: columns
select name from pragma_table_info(:table) order by cid;

-- name: references
select distinct "table" as name from pragma_foreign_key_list(:table);

-- name: rows
select {columns} from "{table}" {only};

-- name: count
select count(*) as rows from "{table}" {only};

-- name: only.task
-- Tasks that have not finished verify or copy the folder.
where finished_at is not null

-- name: reports
select guid, attempt, digests from report_request where state = 'completed' order by seq;

-- name: forms
select * from report_form where report_guid = :guid and attempt = :attempt order by name;
