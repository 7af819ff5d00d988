-- name: dropHolds :exec
delete from key_hold where management_group = :group;

-- name: dropWindows :exec
-- The keys of a group's windows, and of those of its clients, begin with the same text.
delete from rate_window where left(key, length(:prefix)) = :prefix;
