-- name: identity :one :read
select id, epoch from identity;

-- name: forgetIdentity :exec
delete from identity;

-- name: identify :exec
insert into identity values ($id, $epoch);

-- name: highest :one :read
-- Checks belong to orders, and replaced versions to their successors, so neither table is read.
select greatest(
         (select coalesce(max(restaurant_id), 0) from orders),
         (select coalesce(max(restaurant_id), 0) from shifts),
         (select coalesce(max(restaurant_id), 0) from settlements),
         (select coalesce(max(restaurant_id), 0) from names),
         (select coalesce(max(restaurant_id), 0) from menu_entries)
       ) as restaurant_id,
       (select load_id from last_load) as load_id;
