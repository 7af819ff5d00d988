-- name: clearTasks :exec
-- Tasks requested of the copied service do not apply to the one that starts from the copy.
delete from task;

-- name: clearDeliveries :exec
delete from delivery where state = 'waiting';

-- name: clearSessions :exec
-- An older copy must not restore a session that was ended or a link that was used.
delete from session;

-- name: clearLinks :exec
delete from sign_in_link;

-- name: clearConnectionLeases :exec
-- A copy signs in by itself.
update connection set worker = null, lease_until = null, token = null, token_until = null;

-- name: completedReports :many :read
select guid, attempt from report_request where state = 'completed' order by guid;
