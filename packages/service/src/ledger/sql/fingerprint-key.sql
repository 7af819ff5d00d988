-- name: fingerprintKey :one :read
select key from fingerprint_key where management_group = :group;

-- name: addFingerprintKey :exec
insert into fingerprint_key (management_group, key, created_at) values (:group, :key, :now)
on conflict (management_group) do nothing;

-- name: rotateFingerprintKey :exec
update fingerprint_key set key = :key, created_at = :now where management_group = :group;
