-- Removing and exporting restaurants. {table}, {path} and {ids} are of the catalog, of the folder, and numbers.

-- name: rowsOf :one :read
select count(*) as rows from facts."{table}" where restaurant_id in ({ids});

-- name: attachFresh :exec :read
attach '{path}' as fresh;

-- name: copySchema :exec :read
copy from database facts to fresh (schema);

-- name: copyTable :exec
insert into fresh."{table}" select * from facts."{table}";

-- name: copyOthers :exec
insert into fresh."{table}" select * from facts."{table}" where restaurant_id not in ({ids});

-- name: checkpointFresh :exec :read
checkpoint fresh;

-- name: detachFresh :exec :read
detach fresh;

-- name: exportTable :exec :read
copy (select * from facts."{table}" where restaurant_id in ({ids})) to '{path}' (format parquet, compression zstd);
