-- Statements that the move of a data folder reads with. {table} and {columns} are names of the catalog.

-- name: tables :many :read
select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name;

-- name: columns :many :read
select name from pragma_table_info(:table) order by cid;

-- name: references :many :read
select distinct "table" as name from pragma_foreign_key_list(:table);

-- name: rows :many :read
select {columns} from "{table}";

-- name: count :one :read
select count(*) as rows from "{table}";

-- Unfinished tasks verify or back up this folder, so they are not moved.

-- name: rows.task :many :read
select {columns} from "{table}" where finished_at is not null;

-- name: count.task :one :read
select count(*) as rows from "{table}" where finished_at is not null;

-- name: reports :many :read
select guid, attempt, digests from report_request where state = 'completed' order by seq;

-- name: forms :many :read
select * from report_form where report_guid = :guid and attempt = :attempt order by name;
