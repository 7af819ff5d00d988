-- name: identity :one :read
select id, epoch, next_epoch from identity;

-- name: identify :exec
insert into identity (one, id, epoch, next_epoch) values (1, :id, :epoch, :nextEpoch)
on conflict (one) do update set id = excluded.id, epoch = excluded.epoch, next_epoch = excluded.next_epoch;

-- name: highest :one :read
-- Removed restaurants count: their numbers are not given again.
select (
         select coalesce(max(id), 0)
           from (select id from restaurant union all select id from removed_restaurant) as known
       ) as restaurant_id,
       (
         select snapshot from report_request where snapshot is not null order by as_of desc, seq desc limit 1
       ) as snapshot;
