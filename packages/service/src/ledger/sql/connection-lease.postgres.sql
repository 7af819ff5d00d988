-- name: claimConnection :one
-- Skips a connection that another service is about to claim.
update connection
   set worker = :worker, lease_until = :leaseUntil, attempt = attempt + 1
 where id = (
         select id from connection
          where state in ('active', 'refused') and next_at <= :now and (worker is null or lease_until <= :now)
            and (throttled_until is null or throttled_until <= :now)
          order by next_at, id
          limit 1
            for update skip locked
       )
returning *;

-- name: holdConnection :one
-- Nobody claims or changes the connection until the transaction ends.
select * from connection where id = :id and worker = :worker and attempt = :attempt for update;
