-- The worker of the service that queued a report, until it is claimed: for a moment no other claims it. No row where that service has no
-- worker. A table of its own: nodes of the version before have prepared `select * from report_request`, which fails once a column is added.
create table report_owner (
  report_guid text collate "C" primary key references report_request (guid) on delete cascade,
  worker text not null
);
