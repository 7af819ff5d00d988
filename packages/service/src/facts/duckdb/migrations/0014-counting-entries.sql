-- docs/metrics.md#sales-metrics: the hours and pay of an entry count once it has ended, for hourly pay, unless it is deleted.
create macro entry_counts(deleted, hourly, out_at) as not deleted and hourly and out_at is not null;
-- Of a job in the reference data; one that is missing there has nulls, and counts.
create macro job_counts(wage_frequency, excluded) as not coalesce(wage_frequency = 'SALARY' or excluded, false);
