-- The menus of restaurants.

-- name: deleteMenus :exec
delete from menu_entries where restaurant_id = $restaurant;

-- name: insertMenus :exec
-- A text for each line: from one text of 50,000 entries it took three times as long.
insert into menu_entries by name
select $restaurant::integer as restaurant_id, * from (
  select unnest(from_json(line,
    '{"place":"INTEGER","parent":"INTEGER","kind":"VARCHAR","guid":"VARCHAR","name":"VARCHAR","is_first":"BOOLEAN","root_guid":"VARCHAR","menu_guid":"VARCHAR"}'))
    from (select unnest(string_split($lines, chr(10))) as line) where line <> ''
);

-- name: hasMenus :one :read
select exists (from menu_entries where restaurant_id = $restaurant) as has;

-- name: menus :many :read
select place, parent, kind, guid, name from menu_entries where restaurant_id = $restaurant order by place;
