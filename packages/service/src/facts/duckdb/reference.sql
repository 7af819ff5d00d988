-- name: deleteNames :exec
delete from names where restaurant_id = $restaurant and kind = $kind;

-- name: insertNames :exec
insert into names
select $restaurant, $kind, guid, name, last_name, wage_frequency, excluded, chosen_name, code
  from (select unnest(from_json($rows::json,
    '[{"guid":"VARCHAR","name":"VARCHAR","last_name":"VARCHAR","wage_frequency":"VARCHAR","excluded":"BOOLEAN",
       "chosen_name":"VARCHAR","code":"VARCHAR"}]'),
    recursive := true));

-- name: names :many :read
select kind, guid, name, last_name, wage_frequency, excluded, chosen_name, code
  from names where restaurant_id = $restaurant order by kind, guid;

-- name: ping :one :read
select 1 as one;
