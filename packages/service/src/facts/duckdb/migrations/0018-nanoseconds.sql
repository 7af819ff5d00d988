-- What the modifiedDate of a version has beyond modified_at, in nanoseconds: versions of one millisecond are compared as they are written.
alter table orders add column modified_nanos integer default 0;
alter table past_orders add column modified_nanos integer default 0;
alter table shifts add column modified_nanos integer default 0;
alter table past_shifts add column modified_nanos integer default 0;
alter table settlements add column modified_nanos integer default 0;
alter table past_settlements add column modified_nanos integer default 0;

-- The date of a version in nanoseconds since 1970.
create macro version_at(modified_at, modified_nanos) as modified_at::hugeint * 1000000 + coalesce(modified_nanos, 0);
