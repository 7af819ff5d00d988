-- Holds end by the clock of the server, which is the same for all services.

-- name: holdKey :exec
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
