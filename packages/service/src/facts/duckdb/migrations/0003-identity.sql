-- At most one row: the data folder that these facts belong to, and the epoch that its ledger gave them last.
create table identity (id varchar not null, epoch varchar not null);
