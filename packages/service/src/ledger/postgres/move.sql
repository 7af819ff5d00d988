-- Statements of the move of a data folder into the ledger's database. {table}, {column} and {columns} are names of its catalog.

-- name: lock :one
-- Held until the connection ends.
select pg_try_advisory_lock($1, $2) as is_ours;

-- name: columns :many :read
select c.table_name as "table", c.column_name as name, c.is_identity = 'YES' as is_identity
  from information_schema.columns c
  join information_schema.tables t using (table_schema, table_name)
 where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
 order by c.table_name, c.ordinal_position;

-- name: hasRows :one :read
select exists (select 1 from "{table}") as has_rows;

-- name: loads :one
-- No load can end before this transaction does.
select last_load, last_promotion from facts_log for update;

-- name: triggersOff :exec
-- The triggers count changes and notify nodes, which is not needed here: no node uses these rows yet.
alter table "{table}" disable trigger user;

-- name: triggersOn :exec
alter table "{table}" enable trigger user;

-- name: insert :exec
insert into "{table}" ({columns}) select {columns} from json_populate_recordset(null::"{table}", $1::json);

-- name: count :one :read
select count(*) as rows from "{table}";

-- name: setSequence :exec
select setval(pg_get_serial_sequence('"{table}"', '{column}'), coalesce(max("{column}"), 0) + 1, false) from "{table}";

-- name: setLoads :exec
update facts_log set last_load = $1;
