-- name: deleteNames :exec
-- $kinds: the names of lists, separated by commas.
delete from names where restaurant_id = $restaurant and kind in (select unnest(string_split($kinds, ',')));

-- name: insertNames :exec
insert into names
select $restaurant, kind, guid, name, last_name, wage_frequency, excluded, chosen_name, code
  from (select unnest(from_json(line,
    '{"kind":"VARCHAR","guid":"VARCHAR","name":"VARCHAR","last_name":"VARCHAR","wage_frequency":"VARCHAR",
      "excluded":"BOOLEAN","chosen_name":"VARCHAR","code":"VARCHAR"}'))
    from (select unnest(string_split($lines, chr(10))) as line) where line <> '');

-- name: hasReference :one :read
select exists (from names where restaurant_id = $restaurant) as has;

-- name: names :many :read
select kind, guid, name, last_name, wage_frequency, excluded, chosen_name, code
  from names where restaurant_id = $restaurant order by kind, guid;

-- name: ping :one :read
select 1 as one;
