-- name: ensureGroup
insert into management_group (name, created_at) values (:group, :now) on conflict (name) do nothing;

-- name: groups
select name from management_group order by name;

-- name: addClient
insert into client (id, name, management_group, scopes, dialect, secret_hash, created_at, revoked_at)
values (:id, :name, :group, :scopes, :dialect, :secretHash, :createdAt, :revokedAt);

-- name: putClient
insert into client (id, name, management_group, scopes, dialect, secret_hash, created_at, revoked_at)
values (:id, :name, :group, :scopes, :dialect, :secretHash, :createdAt, null)
on conflict (id) do update
   set name = excluded.name,
       management_group = excluded.management_group,
       scopes = excluded.scopes,
       dialect = excluded.dialect,
       secret_hash = excluded.secret_hash,
       created_at = excluded.created_at,
       revoked_at = null;

-- name: client
select * from client where id = :id;

-- name: clients
select * from client order by created_at, id;

-- name: revokeClient
update client set revoked_at = :now where id = :id and revoked_at is null;

-- name: keys
-- Two keys of one millisecond are told apart by which was added last.
select * from signing_key order by created_at desc, rowid desc;

-- name: retireKeys
update signing_key set retired_at = :now where retired_at is null;

-- name: addKey
insert into signing_key (kid, algorithm, private_jwk, public_jwk, created_at, retired_at)
values (:kid, :algorithm, :privateJwk, :publicJwk, :createdAt, :retiredAt);

-- name: dropKeys
delete from signing_key where retired_at < :retiredBefore;
