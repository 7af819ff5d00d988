/** Business dates: the restaurant's local dates. They never pass through an instant or a time zone. */

/** `20260310`, `"20260310"`, `"2026-03-10"`, or its parts: a Temporal.PlainDate has them. Months are 1 to 12. */
export type BusinessDate = string | number | { readonly year: number; readonly month: number; readonly day: number };
