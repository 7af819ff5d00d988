-- The worker of the service that queued the report: for a moment no other claims it. Null where that service has no worker.
alter table report_request add column queued_by text collate "C";
