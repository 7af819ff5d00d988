-- The restaurant days of which a report is missing details: JSON; null where none is, or it was made before this was kept.
alter table report_request add column incomplete text;
