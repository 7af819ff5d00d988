-- name: restaurantsNamed :many :read
select *
  from restaurant
 where management_group = :group and guid in (select value from json_each(:guids))
 order by guid;

-- name: restaurantsById :many :read
select * from restaurant where id in (select value from json_each(:ids)) order by guid;
