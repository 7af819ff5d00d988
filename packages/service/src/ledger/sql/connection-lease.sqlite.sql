-- name: claimConnection :one
update connection
   set worker = :worker, lease_until = :leaseUntil, attempt = attempt + 1
 where id = (
         select id from connection
          where state in ('active', 'refused') and next_at <= :now and (worker is null or lease_until <= :now)
            and (throttled_until is null or throttled_until <= :now)
          order by next_at, id
          limit 1
       )
returning *;

-- name: holdConnection :one :read
-- In a transaction that already has the write lock.
select * from connection where id = :id and worker = :worker and attempt = :attempt;
