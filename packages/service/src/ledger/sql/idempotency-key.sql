-- name: keyUse :one :read
select * from idempotency_key
 where management_group = :group and client_id = :clientId and path = :path and key = :key and ends_at > :now;

-- name: addKeyUse :exec
-- One winner: a use that has not expired stays as it is.
insert into idempotency_key (management_group, client_id, path, key, fingerprint, answer, ends_at)
values (:group, :clientId, :path, :key, :fingerprint, :answer, :endsAt)
on conflict (management_group, client_id, path, key) do update
   set fingerprint = excluded.fingerprint, answer = excluded.answer, ends_at = excluded.ends_at
 where idempotency_key.ends_at <= :now;

-- name: forgetKeyUses :exec
delete from idempotency_key where ends_at <= :now;
