/**
 * `daypart limits` and `daypart audit`: the remaining quota, and changes of access. Both require the scope
 * access:admin.
 */
import { type AuditEntry, accessOf } from '@daypart/client';
import type { ParsedArguments } from './arguments.ts';
import { openClient } from './client.ts';
import { UsageError } from './exit.ts';
import { showListing, shownMinute } from './listing.ts';
import { readConnection } from './profiles.ts';
import type { Terminal } from './terminal.ts';

/** `daypart limits`. */
export async function limits(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const client = openClient(await readConnection(args, terminal), terminal);
  const { windows } = await accessOf(client).limits(
    { client: args.value('client'), group: args.value('group') },
    { signal: terminal.signal },
  );
  showListing(args, terminal, {
    rows: windows,
    fields: ['name', 'quota', 'seconds', 'left', 'endsInSeconds'],
    columns: [
      { heading: 'Limit', importance: 4 },
      { heading: 'Left', importance: 3, number: true },
      { heading: 'Of', importance: 2, number: true },
      { heading: 'Renewed in', importance: 1, number: true },
    ],
    cells: ({ name, quota, left, endsInSeconds }) => [name, String(left), String(quota), `${endsInSeconds} s`],
    nothing: 'This service limits nothing.',
  });
}

/** The most entries of a page of the audit log. */
const ENTRIES_A_PAGE = 200;
const DEFAULT_LAST = 50;

/** `daypart audit`. Throws UsageError if `--last` is not a whole number from 1. */
export async function audit(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const text = args.value('last') ?? String(DEFAULT_LAST);
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--last is a number of entries from 1 on, not ${text}`);
  const access = accessOf(openClient(await readConnection(args, terminal), terminal));
  const entries: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(ENTRIES_A_PAGE, Number(text) - entries.length);
    const page = await access.audit({ group: args.value('group'), limit, cursor }, { signal: terminal.signal });
    entries.push(...page.entries);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && entries.length < Number(text));
  showListing(args, terminal, {
    rows: entries,
    fields: ['at', 'action', 'target', 'clientId', 'name', 'group', 'byGroup'],
    columns: [
      { heading: 'When', importance: 4 },
      { heading: 'What', importance: 3 },
      { heading: 'Of', importance: 2 },
      { heading: 'By', importance: 1 },
    ],
    cells: ({ at, action, target, clientId, name }) => [shownMinute(at), action, target || '–', name ?? clientId],
    nothing: 'Nobody has changed access over HTTP.',
  });
}
