-- name: keys :many :read
-- Of two keys added in the same millisecond, the one added last is newer.
select * from signing_key order by created_at desc, seq desc;

-- name: retireKeys :exec
update signing_key set retired_at = :now where retired_at is null;

-- name: addKey :exec
insert into signing_key (kid, algorithm, private_jwk, public_jwk, created_at, retired_at)
values (:kid, :algorithm, :privateJwk, :publicJwk, :createdAt, :retiredAt);

-- name: dropKeys :exec
delete from signing_key where retired_at < :retiredBefore;

-- name: fingerprintKey :one :read
select key from fingerprint_key where management_group = :group;

-- name: addFingerprintKey :exec
insert into fingerprint_key (management_group, key, created_at) values (:group, :key, :now)
on conflict (management_group) do nothing;

-- name: rotateFingerprintKey :exec
update fingerprint_key set key = :key, created_at = :now where management_group = :group;
