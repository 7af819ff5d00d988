-- name: addReportDelivery :exec
-- Runs in the transaction that ends the report. A report ends only once, so the id is made from its GUID.
insert into delivery (id, management_group, client_id, type, report_guid, state, created_at, next_at)
select 'msg_' || r.guid, r.management_group, r.client_id, 'report.' || r.state, r.guid, 'waiting', :now, :now
  from report_request r
  join webhook w on w.management_group = r.management_group and w.client_id = r.client_id and w.off_at is null
 where r.guid = :guid and r.state in ('completed', 'failed');

-- name: addTestDelivery :exec
insert into delivery (id, management_group, client_id, type, state, created_at, next_at)
select :id, management_group, client_id, 'webhook.test', 'waiting', :now, :now
  from webhook
 where management_group = :group and client_id = :clientId and off_at is null;

-- name: replayDelivery :exec
-- Attempts are numbered from 1 again. An attempt in progress has another time than its successor, so its outcome is ignored.
update delivery
   set state = 'waiting', attempt = 0, next_at = :now, status = null, error = null
 where id = :id and management_group = :group and client_id = :clientId
   and exists (select 1 from webhook w
                where w.management_group = :group and w.client_id = :clientId and w.off_at is null);

-- name: deliveries :many :read
select * from delivery
 where management_group = :group and client_id = :clientId
 order by created_at desc, seq desc
 limit :limit;

-- name: dueWebhooks :many :read
-- The one that has waited longest comes first. Each client costs one index lookup, however many deliveries it has waiting.
select w.management_group, w.client_id, w.url, w.secret, w.old_secret, w.old_secret_until, w.older_secrets,
       w.created_at, w.off_at
  from webhook w
  join (
         select management_group, client_id, min(next_at) as due_at
           from delivery where state = 'waiting' and next_at <= :now
          group by management_group, client_id
       ) d on d.management_group = w.management_group and d.client_id = w.client_id
 where w.off_at is null
 order by d.due_at;

-- name: finishDelivery :exec
update delivery set state = 'delivered', next_at = null, status = :status, error = null
 where id = :id and state = 'waiting' and attempt = :attempt and attempted_at = :attemptedAt;

-- name: postponeDelivery :exec
update delivery set next_at = :nextAt, status = :status, error = :error
 where id = :id and state = 'waiting' and attempt = :attempt and attempted_at = :attemptedAt;

-- name: dropDelivery :exec
update delivery set state = 'given_up', next_at = null, status = :status, error = :error
 where id = :id and state = 'waiting' and attempt = :attempt and attempted_at = :attemptedAt;

-- name: turnOffWebhook :exec
-- Unless its address has changed meanwhile.
update webhook set off_at = :now
 where management_group = :group and client_id = :clientId and url = :url and off_at is null;

-- name: dropDeliveries :exec
-- The outcome of each delivery's own last attempt is kept.
update delivery
   set state = 'given_up', next_at = null,
       error = coalesce(error || ', and before it could be tried again ', '') || :error
 where management_group = :group and client_id = :clientId and state = 'waiting';

-- name: releaseDelivery :exec
update delivery set next_at = attempted_at, attempt = attempt - 1
 where id = :id and state = 'waiting' and attempt = :attempt and attempted_at = :attemptedAt;

-- name: releaseOrphans :exec
-- In progress: an attempt has begun and has no outcome yet. The receiver may have got it, so the attempt counts.
update delivery set next_at = :now
 where state = 'waiting' and attempted_at is not null and status is null and error is null and next_at > :now;

-- name: forgetDeliveries :exec
delete from delivery where state <> 'waiting' and created_at < :before;
