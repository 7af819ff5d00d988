-- name: claimDelivery :one
-- Clears the outcome of the previous attempt: what is shown belongs to the current one.
update delivery
   set attempt = attempt + 1, attempted_at = :now, next_at = :leaseUntil, status = null, error = null
 where id = (
         select id from delivery
          where management_group = :group and client_id = :clientId and state = 'waiting' and next_at <= :now
          order by next_at, seq
          limit 1
       )
   and state = 'waiting'
returning *;
