-- The id and the trace of the call that asked for the report. Null for those asked for before.
alter table report_request add column request_id text;
alter table report_request add column traceparent text;
