-- name: addImport :exec
insert into import_run (id, management_group, restaurant_guid, business_date, client_id, at, report)
values (:id, :group, :restaurantGuid, :businessDate, :clientId, :at, :report);

-- name: imports :many :read
select * from import_run
 where management_group = :group and at > :since and (cast(:restaurantGuid as text) is null or restaurant_guid = :restaurantGuid)
 order by seq desc
 limit :limit;

-- name: forgetImports :exec
delete from import_run where at < :before;
