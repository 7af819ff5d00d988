-- The secrets of webhooks before `old_secret` that were promised to sign for a while longer, the newest first.
alter table webhook add column older_secrets text not null default '[]' check (json_valid(older_secrets)); -- [{secret, until}]
