-- One row: the data folder that this ledger belongs to. The facts and the results carry the same id, and the facts an epoch
-- besides, which is new after every start and backup.
create table identity (
  one integer primary key check (one = 1),
  id text not null,
  epoch text, -- null until the facts are known to carry one
  next_epoch text, -- set while the facts are given it
  check (epoch is not null or next_epoch is not null)
) strict;
