-- name: keyUse
select * from idempotency_key
 where client_id = :clientId and path = :path and key = :key and ends_at > :now;

-- name: addKeyUse
-- One winner: a use that still stands stays as it is.
insert into idempotency_key (client_id, path, key, fingerprint, answer, ends_at)
values (:clientId, :path, :key, :fingerprint, :answer, :endsAt)
on conflict (client_id, path, key) do update
   set fingerprint = excluded.fingerprint, answer = excluded.answer, ends_at = excluded.ends_at
 where idempotency_key.ends_at <= :now;

-- name: forgetKeyUses
delete from idempotency_key where ends_at <= :now;
