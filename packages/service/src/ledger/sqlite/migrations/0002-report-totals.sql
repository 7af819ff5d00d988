-- The last load that a completed report saw, and its control totals as JSON. Null for those completed before.
alter table report_request add column load_id integer;
alter table report_request add column totals text;
