-- name: claimDelivery :one
-- What came of the attempt before is forgotten: what is shown belongs to the attempt that is counted. One that another service
-- is about to claim is passed over.
update delivery
   set attempt = attempt + 1, attempted_at = :now, next_at = :leaseUntil, status = null, error = null
 where id = (
         select id from delivery
          where management_group = :group and client_id = :clientId and state = 'waiting' and next_at <= :now
          order by next_at, seq
          limit 1
            for update skip locked
       )
returning *;
