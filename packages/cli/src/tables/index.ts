/** The report families at a terminal, one file each: their words, fields and table (`list.ts` lists them). */
