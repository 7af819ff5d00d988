-- name: addTask :exec
insert into task (guid, kind, argument, state, created_at) values (:guid, :kind, :argument, 'queued', :createdAt);

-- name: task :one :read
select * from task where guid = :guid;

-- name: unfinishedTasks :many :read
select * from task where finished_at is null order by created_at, seq;

-- name: claimTask :one
-- One at a time, oldest first.
update task
   set state = 'running', started_at = :now
 where guid = (select guid from task where state = 'queued' order by created_at, seq limit 1)
   and state = 'queued'
   and not exists (select 1 from task where state = 'running')
returning *;

-- name: finishTask :exec
update task set state = 'done', finished_at = :now, result = :result where guid = :guid and state = 'running';

-- name: failTask :exec
update task set state = 'failed', finished_at = :now, failure = :failure
 where guid = :guid and state in ('queued', 'running');

-- name: cancelTask :exec
update task set state = 'cancelled', finished_at = :now where guid = :guid and state in ('queued', 'running');

-- name: forgetTasks :exec
delete from task where finished_at < :before;
