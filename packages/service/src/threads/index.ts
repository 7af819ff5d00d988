/** Calls to threads and child processes: each is answered once, and what has ended is started again. */
