-- name: addAudit :exec
insert into audit (at, management_group, by_group, client_id, name, action, target, detail)
values (:at, :group, :byGroup, :clientId, :name, :action, :target, :detail);

-- name: audit :many :read
select * from audit where management_group = :group and id < :before order by id desc limit :limit;
