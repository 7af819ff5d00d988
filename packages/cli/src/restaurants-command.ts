/** `daypart restaurants` and `restaurants add`. */

import { randomUUID } from 'node:crypto';
import { type Daypart, NotFoundError, type Restaurant } from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import { shownText } from './cells.ts';
import { openClient } from './client.ts';
import { CommandError, EXIT } from './command-error.ts';
import { UsageError } from './exit.ts';
import { readGuid } from './guid.ts';
import { showListing } from './listing.ts';
import { readConnection } from './profiles.ts';
import { listRestaurants, plain } from './restaurants.ts';
import { shownDate } from './span.ts';
import type { Terminal } from './terminal.ts';

const RESTAURANT_FIELDS = ['restaurantGuid', 'restaurantName', 'active', 'testMode', 'archived'] as const;
/** From a service that reports what is loaded. */
const LOADED_FIELDS = ['timeZone', 'currencyCode', 'firstBusinessDate', 'lastBusinessDate', 'loadedAt'] as const;

type Listed = Restaurant &
  Partial<Record<'timeZone' | 'firstBusinessDate' | 'lastBusinessDate' | 'loadedAt', string | null>>;

/** The restaurants, with the dates of their data if the service reports them. */
async function listAll(client: Daypart, signal: AbortSignal): Promise<{ all: Listed[]; fields: readonly string[] }> {
  const listed = await listRestaurants(client, signal);
  const loaded = await client.restaurants.loaded({}, { signal }).catch((error: unknown) => {
    // The live system has no such list.
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  if (!Array.isArray(loaded?.restaurants)) return { all: listed, fields: RESTAURANT_FIELDS };
  const byGuid = new Map(loaded.restaurants.map((one) => [one.guid, one]));
  const all = listed.map((one) => {
    const more = byGuid.get(one.restaurantGuid);
    return { ...one, ...Object.fromEntries(LOADED_FIELDS.map((field) => [field, more?.[field] ?? null])) };
  });
  return { all, fields: [...RESTAURANT_FIELDS, ...LOADED_FIELDS] };
}

/** `2026-03-01 to 2026-03-20`; a dash if nothing is loaded. */
const shownDates = ({ firstBusinessDate: first, lastBusinessDate: last }: Listed): string =>
  first && last ? `${shownDate(first)} to ${shownDate(last)}` : '–';

/** `daypart restaurants`. */
export async function restaurants(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const client = openClient(await readConnection(args, terminal), terminal);
  const { all, fields } = await listAll(client, terminal.signal);
  const state = (one: Restaurant): string =>
    [one.archived ? 'archived' : one.active ? 'active' : 'inactive', ...(one.testMode ? ['test'] : [])].join(', ');
  const columns = [
    { heading: 'Restaurant', importance: 4 },
    { heading: 'GUID', importance: 3 },
    { heading: 'State', importance: 1 },
    { heading: 'Loaded', importance: 2 },
  ];
  const isTable = (args.value('format') ?? (terminal.out.isTTY ? 'table' : 'json')) === 'table';
  const byName = (a: Listed, b: Listed): number => ((a.restaurantName ?? '') < (b.restaurantName ?? '') ? -1 : 1);
  showListing(args, terminal, {
    rows: isTable ? [...all].sort(byName) : all,
    fields,
    columns: fields === RESTAURANT_FIELDS ? columns.slice(0, 3) : columns,
    cells: (one) => [
      one.restaurantName ?? '–',
      one.restaurantGuid ?? '–',
      state(one),
      ...(fields === RESTAURANT_FIELDS ? [] : [shownDates(one)]),
    ],
    nothing: 'These credentials see no restaurants.',
  });
}

/** The body for PUT /restaurants/{guid}: the service checks it, and names the wrong field. */
interface Settings {
  name: string;
  timeZone: string;
  closeoutHour?: number;
  overtimeMultiplier?: number;
  refundsOn?: string;
  currencyCode?: string;
  locationName?: string;
  locationCode?: string;
  testMode?: boolean;
}

function readSettings({ words: [name], value, has }: ParsedArguments): Settings {
  if (name === undefined) throw new UsageError('restaurants add needs the name of the restaurant');
  const timeZone = value('time-zone');
  if (timeZone === undefined)
    throw new UsageError('restaurants add needs --time-zone, the time zone of the restaurant: America/New_York');
  const number = (flag: string): number | undefined => {
    const text = value(flag);
    if (text === undefined) return undefined;
    if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${flag} takes a number, not ${text}`);
    return Number(text);
  };
  const [closeoutHour, overtimeMultiplier] = [number('closeout-hour'), number('overtime-multiplier')];
  const [currencyCode, locationName, locationCode] = ['currency', 'location-name', 'location-code'].map(value);
  const refundsOn = value('refunds-on');
  return {
    name,
    timeZone,
    ...(closeoutHour === undefined ? {} : { closeoutHour }),
    ...(overtimeMultiplier === undefined ? {} : { overtimeMultiplier }),
    ...(refundsOn === undefined ? {} : { refundsOn }),
    ...(currencyCode === undefined ? {} : { currencyCode }),
    ...(locationName === undefined ? {} : { locationName }),
    ...(locationCode === undefined ? {} : { locationCode }),
    ...(has('test-mode') ? { testMode: true } : {}),
  };
}

/**
 * Creates a restaurant, and prints its GUID. Throws CommandError if one with the name or the GUID exists: this command
 * replaces none.
 */
export async function addRestaurant(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const settings = readSettings(args);
  const text = args.value('guid');
  const guid = text === undefined ? randomUUID() : readGuid(text);
  if (guid === undefined) throw new UsageError(`--guid must be a GUID, not ${text}`);
  const client = openClient(await readConnection(args, terminal), terminal);
  const all = await listRestaurants(client, terminal.signal);
  const there = all.find((one) => one.restaurantGuid === guid || plain(one.restaurantName) === plain(settings.name));
  if (there && !(args.has('same-name') && there.restaurantGuid !== guid)) {
    const name = shownText(there.restaurantName ?? '–');
    const next =
      there.restaurantGuid === guid
        ? 'Change it with PUT /restaurants/{guid}.'
        : 'Another one of that name: --same-name.';
    throw new CommandError(EXIT.failed, `there is a restaurant ${name} already: ${there.restaurantGuid}`, next);
  }
  const made = await client.request<object>('PUT', `/restaurants/${guid}`, { body: settings, signal: terminal.signal });
  if (args.has('json')) return terminal.say(shownJson(JSON.stringify(made)));
  // A script gets only the GUID.
  if (!terminal.out.isTTY) return terminal.say(guid);
  terminal.say(`Made ${shownText(settings.name)}: ${guid}`);
  terminal.say(`Next: daypart import FOLDER --restaurant ${guid}`);
}
