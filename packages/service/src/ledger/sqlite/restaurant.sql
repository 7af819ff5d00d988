-- name: restaurantsNamed :many :read
select *
  from restaurant
 where management_group = :group and guid in (select value from json_each(:guids))
 order by guid;

-- name: restaurantsById :many :read
select * from restaurant where id in (select value from json_each(:ids)) order by guid;

-- name: renumber :exec
-- SQLite gives the highest number again after its row was deleted; facts of a removed restaurant would become those of another.
update restaurant
   set id = (select max(id) + 1 from removed_restaurant)
 where guid = :guid and id <= (select max(id) from removed_restaurant);
