/** `daypart facts`: verifies or rebuilds the daily rollups, with or without a running service. */

import type { Effects } from '@daypart/cli';
import { shownJson } from '@daypart/client/text';
import { dashedDate } from '../contract/dates.ts';
import type { VerifyAnswer } from '../maintenance/run-task.ts';
import { readCommand, readSettings } from './arguments.ts';
import { requestTask } from './request-task.ts';

/**
 * Runs `daypart facts verify|rebuild`; `args` are those after `facts`. Throws UsageError on misuse, Error if there are
 * faults or it could not be done.
 */
export async function factsCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const { command, settings, has } = readCommand('facts', args);
  const kind = command === 'facts verify' ? 'verify' : 'rebuild';
  const config = readSettings(settings, effects, { logLevel: 'warn' });

  const { sheets: rollups } = (await requestTask(config, { kind, argument: {} }, effects)) as VerifyAnswer;

  if (!has('json')) for (const line of linesOf(rollups)) out(line);
  else out(shownJson(JSON.stringify({ sheets: rollups })));
  if (rollups.every(({ faults }) => faults === 0)) return;
  throw new Error(
    kind === 'verify'
      ? 'the rollups do not match the source data; daypart facts rebuild computes them again'
      : 'the rebuilt rollups still do not match the source data',
  );
}

function linesOf(rollups: VerifyAnswer['sheets']): string[] {
  const width = Math.max(...rollups.map(({ sheet: label }) => label.length));
  return rollups.flatMap(({ sheet: label, faults, first }) => {
    const title = label.padEnd(width);
    if (faults === 0) return [`${title}  0 faults`];
    const days = first.map(
      ({ restaurantGuid, restaurantName, businessDate }) =>
        `  ${dashedDate(businessDate)}  ${restaurantGuid}${restaurantName === null ? '' : `  ${restaurantName}`}`,
    );
    const more = faults - first.length;
    return [
      `${title}  ${faults} ${faults === 1 ? 'fault' : 'faults'}`,
      ...days,
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  });
}
