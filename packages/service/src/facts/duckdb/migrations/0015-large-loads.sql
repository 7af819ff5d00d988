-- A large load is merged beside small ones, in a transaction that began before theirs. The two would conflict over one row for the
-- number of the last load, so a large load adds a row of its own.
alter table last_load rename to last_small_load;

create table large_loads (load_id bigint not null);

create view last_load as
select greatest(load_id, (select coalesce(max(load_id), 0) from large_loads)) as load_id from last_small_load;
