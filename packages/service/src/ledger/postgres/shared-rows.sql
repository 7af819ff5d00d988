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

-- name: holdKey :exec
-- Holds end by the clock of the server, which is the same for all services.
insert into key_hold as held (management_group, client_id, path, key, holder, until)
values (:group, :clientId, :path, :key, :holder, clock_timestamp() + :ms * interval '1 millisecond')
on conflict (management_group, client_id, path, key) do update
   set holder = excluded.holder, until = excluded.until
 where held.until < clock_timestamp();

-- name: extendHold :exec
update key_hold set until = clock_timestamp() + :ms * interval '1 millisecond'
 where management_group = :group and client_id = :clientId and path = :path and key = :key and holder = :holder;

-- name: freeKey :exec
delete from key_hold
 where management_group = :group and client_id = :clientId and path = :path and key = :key and holder = :holder;

-- name: forgetHolds :exec
delete from key_hold where until < clock_timestamp();

-- name: dropHolds :exec
delete from key_hold where management_group = :group;

-- name: dropWindows :exec
-- The keys of a group's windows, and of those of its clients, begin with the same text.
delete from rate_window where left(key, length(:prefix)) = :prefix;
