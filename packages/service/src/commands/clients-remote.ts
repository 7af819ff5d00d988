/** `daypart clients` at a service on any machine, with the scope access:admin. */
import { type Effects, type ParsedArguments, UsageError } from '@daypart/cli';
import { accessOf, type ClientInfo } from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import { dialect as readDialect } from '../config/setting.ts';
import { readName, readScopes } from './arguments.ts';
import { type ClientLine, clientTable, createdLines, rotatedLines } from './client-lines.ts';
import { limitedLine, missingLimits, readLimits } from './own-limits.ts';
import { openClientOf } from './remote-client.ts';

type Words = ParsedArguments & { command: string };

/** Whether the command names a service. In `clients webhook`, `--url` is the address of the webhook. */
export const isRemote = ({ command, has }: Words): boolean =>
  command !== 'clients webhook' && (has('url') || has('profile'));

const lineOf = ({ clientId: id, createdAt, revokedAt, ...client }: ClientInfo): ClientLine => ({
  ...client,
  id,
  createdAt: Date.parse(createdAt),
  revokedAt: revokedAt === null ? null : Date.parse(revokedAt),
});

/** Runs the command through the service. Throws UsageError on misuse, DaypartError of the service. */
export async function runRemote(parsed: Words, out: (line: string) => void, effects: Effects): Promise<void> {
  if (parsed.settings.data !== undefined) throw new UsageError('--data, or a service by --url or --profile, not both');
  const [scopes, dialect] = [parsed.value('scopes'), parsed.value('dialect')];
  const [group, name] = [parsed.value('group')?.trim(), readName(parsed)];
  const ask = {
    ...(group ? { group } : {}),
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: readScopes(scopes) }),
    ...(dialect === undefined ? {} : { dialect: readDialect(dialect) }),
  };
  const [id] = parsed.words;
  const needsId = ['clients rotate', 'clients revoke', 'clients set'].includes(parsed.command);
  const limits = parsed.command === 'clients set' ? readLimits(parsed.value('quota') ?? missingLimits()) : {};
  if (needsId && id === undefined) throw new UsageError(`${parsed.command} needs the id of a client`);
  const { clients } = accessOf(await openClientOf(parsed, effects));
  const answer = (json: object, lines: string[]): void => {
    if (parsed.has('json')) out(shownJson(JSON.stringify(json)));
    else for (const line of lines) out(line);
  };

  if (parsed.command === 'clients list') {
    const all = (await clients.list(group ? { group } : {})).map(lineOf);
    return answer(all, all.length > 0 ? clientTable(all) : ['No clients yet.']);
  }
  if (parsed.command === 'clients create') {
    const { clientSecret: secret, ...made } = await clients.create(ask);
    const { createdAt: _, revokedAt: __, ...client } = lineOf(made);
    const { id, group, scopes, dialect } = client;
    return answer({ id, secret, name: client.name, group, scopes, dialect }, createdLines({ ...client, secret }));
  }
  if (id === undefined) return;
  if (parsed.command === 'clients rotate') {
    const { clientSecret: secret, oldSecretUntil } = await clients.rotateSecret(id);
    const made = { id, secret, oldSecretUntil: Date.parse(oldSecretUntil) };
    return answer(made, rotatedLines(made));
  }
  if (parsed.command === 'clients set') return out(limitedLine(id, await clients.limit(id, limits)));
  await clients.revoke(id);
  out(`Revoked ${id}: its secret and tokens are now refused.`);
}
