/**
 * Turns bodies of any length into facts: split, read and checked record by record, spooled in a thread of its own, and
 * merged in one step.
 */
