/** The log: JSON lines on standard error, so that standard output stays for people and programs. */
import { type Logger, pino } from 'pino';

export const openLog = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['authorization', '*.authorization', '*.secret'],
    },
    pino.destination(2),
  );
