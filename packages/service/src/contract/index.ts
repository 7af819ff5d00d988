/**
 * The wire's nouns: records, time ranges, scopes, instants and business dates, dayparts, limits, traces, problems. It
 * imports nothing of ours.
 */
