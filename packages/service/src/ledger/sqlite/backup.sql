-- name: clearTasks :exec
-- What was asked of the service that is copied is not asked of the one that takes the copy up.
delete from task;

-- name: clearDeliveries :exec
delete from delivery where state = 'waiting';

-- name: clearSessions :exec
-- An older copy must not restore a session that was ended or a link that was used.
delete from session;

-- name: clearLinks :exec
delete from sign_in_link;

-- name: completedReports :many :read
select guid, attempt from report_request where state = 'completed' order by guid;
