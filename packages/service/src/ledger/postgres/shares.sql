-- name: takeShare :one
-- Returns no row if nothing is left.
insert into rate_window as held (name, key, number, handed_out, last_share, ends_at)
values (:name, :key, :number, greatest(1, :quota::bigint / 20), greatest(1, :quota::bigint / 20), :endsAt)
on conflict (name, key, number) do update
   set handed_out = held.handed_out + greatest(1, (:quota::bigint - held.handed_out) / 20),
       last_share = greatest(1, (:quota::bigint - held.handed_out) / 20)
 where held.handed_out < :quota::bigint
returning handed_out, last_share;

-- name: handedOut :one :read
select handed_out from rate_window where name = :name and key = :key and number = :number;

-- name: forgetWindows :exec
delete from rate_window where ends_at < :before;
