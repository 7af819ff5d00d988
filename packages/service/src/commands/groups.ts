/** `daypart groups`: management groups, their names and rate limits, in the ledger or at a service. */
import { type Effects, type ParsedArguments, UsageError } from '@daypart/cli';
import { accessOf, type GroupInfo } from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import type { OwnLimits } from '../ledger/group.ts';
import { readCommand, readName, readSettings } from './arguments.ts';
import { isRemote } from './clients-remote.ts';
import { removeGroupCommand } from './export-group.ts';
import { openLedgerOf } from './ledger.ts';
import { table } from './lines.ts';
import { readLimits, shownLimits } from './own-limits.ts';
import { openClientOf } from './remote-client.ts';

/** What the commands need of a ledger or a service. */
interface Groups {
  list(): Promise<GroupInfo[]>;
  put(group: string, name: string | undefined): Promise<unknown>;
  limit(group: string, limits: OwnLimits): Promise<unknown>;
  get(group: string): Promise<GroupInfo | undefined>;
  close(): Promise<void>;
}

async function openGroups(args: ParsedArguments & { command: string }, effects: Effects): Promise<Groups> {
  if (isRemote(args)) {
    if (args.settings.data !== undefined) throw new UsageError('--data, or a service by --url or --profile, not both');
    const { groups } = accessOf(await openClientOf(args, effects));
    const { list, limit, get } = groups;
    return { list, limit, get, put: (group, name) => groups.put(group, { name }), close: async () => undefined };
  }
  const ledger = await openLedgerOf(readSettings(args.settings, effects));
  return {
    list: ledger.groupList,
    get: ledger.group,
    limit: ledger.limitGroup,
    async put(group, name) {
      await ledger.ensureGroup(group, await ledger.now());
      if (name !== undefined) await ledger.nameGroup(group, name);
    },
    close: () => ledger.close(),
  };
}

/** Runs `daypart groups list|set`; `args` are those after `groups`. Throws UsageError on misuse. */
export async function groupsCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const parsed = readCommand('groups', args);
  if (parsed.command === 'groups remove') return await removeGroupCommand(args, out, effects);
  const group = parsed.words[0]?.trim();
  if (parsed.command === 'groups set' && !group) throw new UsageError('groups set needs the group');
  const [name, limits] = [readName(parsed), parsed.value('quota')];
  const own = limits === undefined ? undefined : readLimits(limits);
  const groups = await openGroups(parsed, effects);
  try {
    if (group !== undefined) {
      await groups.put(group, name);
      if (own !== undefined) await groups.limit(group, own);
    }
    const shown =
      group === undefined ? await groups.list() : [await groups.get(group)].filter((one) => one !== undefined);
    if (parsed.has('json')) out(shownJson(JSON.stringify(shown)));
    else if (shown.length === 0) out('No management groups yet. Create one with: daypart groups set GROUP');
    else
      for (const line of table(
        ['GROUP', 'NAME', 'LIMITS'],
        shown.map((one) => [one.group, one.name, shownLimits(one.limits)]),
      ))
        out(line);
  } finally {
    await groups.close();
  }
}
