-- The menus of restaurants.

-- name: deleteMenus :exec
delete from menu_entries where restaurant_id = $restaurant;

-- name: insertMenus :exec
insert into menu_entries by name
select $restaurant::integer as restaurant_id, * from (
  select unnest(from_json($entries::json,
    '[{"place":"INTEGER","parent":"INTEGER","kind":"VARCHAR","guid":"VARCHAR","name":"VARCHAR","is_first":"BOOLEAN","root_guid":"VARCHAR","menu_guid":"VARCHAR"}]'),
    recursive := true)
);

-- name: menus :many :read
select place, parent, kind, guid, name from menu_entries where restaurant_id = $restaurant order by place;
