-- name: webhook :one :read
select * from webhook where management_group = :group and client_id = :clientId;

-- name: putWebhook :one
insert into webhook (management_group, client_id, url, secret, created_at)
values (:group, :clientId, :url, :secret, :now)
on conflict (management_group, client_id) do update
   set url = excluded.url,
       off_at = null,
       secret = case when :rotate then excluded.secret else webhook.secret end,
       old_secret = case when :rotate then webhook.secret else webhook.old_secret end,
       old_secret_until = case when :rotate then :oldUntil else webhook.old_secret_until end,
       older_secrets = case when :rotate then :older else webhook.older_secrets end
returning *;

-- name: removeWebhook :exec
delete from webhook where management_group = :group and client_id = :clientId;
