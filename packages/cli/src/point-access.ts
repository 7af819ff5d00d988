/** Where a point of sale is and the credentials that it gave: from flags, the environment, a pipe, or asked for. */
import type { ParsedArguments } from './arguments.ts';
import { UsageError } from './exit.ts';
import { readGuid } from './guid.ts';
import { prompt, readPiped, readSecretVariable } from './prompt.ts';
import type { Terminal } from './terminal.ts';

interface PointCredentials {
  clientId: string;
  clientSecret: string;
}

interface PointAccess {
  url: string;
  credentials: PointCredentials;
  restaurantGuid: string | undefined;
}

type Asking = Pick<Terminal, 'env' | 'input' | 'err'>;

/** Asks until something is typed. */
export async function insist(question: string, { input, err }: Asking, hidden = false): Promise<string> {
  for (;;) {
    const answer = await prompt(question, { hidden }, input, err);
    if (answer !== '') return answer;
  }
}

async function readValue(flag: 'url' | 'client-id', question: string, args: ParsedArguments, asking: Asking) {
  const stated = args.value(flag);
  if (stated !== undefined) return stated;
  if (asking.input.isTTY) return await insist(question, asking);
  throw new UsageError(`which point of sale? it needs --${flag}, or a terminal to ask on`);
}

async function readSecret(asking: Asking): Promise<string> {
  const stated = readSecretVariable('DAYPART_CONNECT_SECRET', asking.env);
  if (stated !== undefined) return stated;
  if (asking.input.isTTY) return await insist('Client secret of the point of sale (not shown)', asking, true);
  const piped = await readPiped(asking.input);
  if (piped !== '') return piped;
  throw new UsageError('the secret of the point of sale is missing: on standard input, or in DAYPART_CONNECT_SECRET');
}

/** The client id and the secret. Throws UsageError if one is missing and there is no terminal to ask on. */
export async function readPointCredentials(args: ParsedArguments, asking: Asking): Promise<PointCredentials> {
  const clientId = await readValue('client-id', 'Client id of the point of sale', args, asking);
  return { clientId, clientSecret: await readSecret(asking) };
}

/** The whole access. Throws UsageError for what is missing or no GUID. */
export async function readPointAccess(args: ParsedArguments, asking: Asking): Promise<PointAccess> {
  const { input, err } = asking;
  const isAsking = input.isTTY === true && !args.has('client-id');
  const url = await readValue('url', 'Address of the API of the point of sale', args, asking);
  const credentials = await readPointCredentials(args, asking);
  let text = args.value('restaurant');
  if (text === undefined && isAsking)
    text = await prompt('GUID of one restaurant (none: credentials of a partner)', {}, input, err);
  const restaurantGuid = text ? readGuid(text) : undefined;
  if (text && restaurantGuid === undefined)
    throw new UsageError(`--restaurant is the GUID of a restaurant, not ${text}`);
  return { url, credentials, restaurantGuid };
}
