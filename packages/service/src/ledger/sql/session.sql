-- name: addSession :exec
insert into session (id, cookie_hash, client_id, name, scopes, created_at, seen_at, ends_at)
values (:id, :cookieHash, :clientId, :name, :scopes, :createdAt, :seenAt, :endsAt);

-- name: session :one :read
select session.*, client.management_group
  from session join client on client.id = session.client_id
 where session.id = :id;

-- name: sessionByCookie :one :read
select session.*, client.management_group
  from session join client on client.id = session.client_id
 where session.cookie_hash = :cookieHash;

-- name: sessionsOf :many :read
select session.*, client.management_group
  from session join client on client.id = session.client_id
 where client.management_group = :group
 order by session.created_at desc, session.id;

-- name: seeSession :exec
update session set seen_at = :now where id = :id and seen_at < :now;

-- name: endSession :exec
delete from session where id = :id;

-- name: forgetSessions :exec
delete from session where seen_at < :seenBefore or ends_at < :now;

-- name: addLink :exec
insert into sign_in_link (key_hash, client_id, name, scopes, created_at, ends_at)
values (:keyHash, :clientId, :name, :scopes, :createdAt, :endsAt);

-- name: link :one :read
select * from sign_in_link where key_hash = :keyHash;

-- name: spendLink :one
-- Only one caller gets it, and only while its client is not revoked.
update sign_in_link
   set spent_at = :now
 where key_hash = :keyHash
   and spent_at is null
   and ends_at > :now
   and exists (select 1 from client where id = sign_in_link.client_id and revoked_at is null)
returning *;

-- name: forgetLinks :exec
delete from sign_in_link where ends_at < :endedBefore;
