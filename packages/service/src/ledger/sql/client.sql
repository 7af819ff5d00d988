-- name: ensureGroup :exec
insert into management_group (name, created_at) values (:group, :now) on conflict (name) do nothing;

-- name: groups :many :read
select name from management_group order by name;

-- name: addClient :exec
insert into client (id, name, management_group, scopes, dialect, secret_hash, created_at, revoked_at)
values (:id, :name, :group, :scopes, :dialect, :secretHash, :createdAt, :revokedAt);

-- name: putClient :exec
insert into client (id, name, management_group, scopes, dialect, secret_hash, created_at, revoked_at)
values (:id, :name, :group, :scopes, :dialect, :secretHash, :createdAt, null)
on conflict (id) do update
   set name = excluded.name,
       management_group = excluded.management_group,
       scopes = excluded.scopes,
       dialect = excluded.dialect,
       secret_hash = excluded.secret_hash,
       created_at = excluded.created_at,
       old_secret_hash = null,
       old_secret_until = null,
       revoked_at = null;

-- name: client :one :read
select client.*, limits from client left join client_limit on client_id = id where id = :id;

-- name: clients :many :read
select client.*, limits from client left join client_limit on client_id = id order by created_at, id;

-- name: rotateSecret :exec
update client
   set old_secret_hash = secret_hash, old_secret_until = :oldUntil, secret_hash = :secretHash
 where id = :id and revoked_at is null;

-- name: revokeClient :exec
update client set revoked_at = :now where id = :id and revoked_at is null;
