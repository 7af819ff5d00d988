/**
 * The report request as a resource: create, list, status, totals, changes, events, cancel; it is found, and waited for,
 * here.
 */
