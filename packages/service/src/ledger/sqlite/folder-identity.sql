-- name: identity :one :read
select id, epoch, next_epoch from identity;

-- name: identify :exec
insert into identity (one, id, epoch, next_epoch) values (1, :id, :epoch, :nextEpoch)
on conflict (one) do update set id = excluded.id, epoch = excluded.epoch, next_epoch = excluded.next_epoch;

-- name: highest :one :read
select (select coalesce(max(id), 0) from restaurant) as restaurant_id,
       (select coalesce(max(load_id), 0) from report_request) as load_id;
