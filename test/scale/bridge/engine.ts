/**
 * Queries of the chDB engine, each on a connection that nobody else uses meanwhile. A connection runs one query at a
 * time; several run side by side. The database, settings and parameters are a connection's: before a query those are
 * set in which it differs from the one before it, which most do not.
 */
import { type ChdbQueryStream, Session } from 'chdb';

/** What a call sets for its query alone. */
export interface QueryContext {
  database: string | undefined;
  settings: Readonly<Record<string, string>>;
  /** Without their prefix `param_`. */
  params: Readonly<Record<string, string>>;
}

export interface Ran {
  rowsRead: number;
  bytesRead: number;
}

export interface Connection {
  run(sql: string, format?: string): Promise<Ran>;
  stream(sql: string, format: string): ChdbQueryStream;
}

export interface Engine {
  /** Runs `work` on a connection of its own. Throws the engine's error where a setting is unknown. */
  use<T>(context: QueryContext, work: (connection: Connection) => Promise<T>): Promise<T>;
}

interface Held extends Pick<QueryContext, 'settings'> {
  session: Session;
  /** Undefined where it is not known. */
  database: string | undefined;
}

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const NAME = /^\w+$/;

async function run(session: Session, sql: string, format = 'TabSeparated'): Promise<Ran> {
  const { rowsRead, bytesRead } = await session.queryAsync(sql, { format });
  return { rowsRead, bytesRead };
}

/** Has a connection be as a query wants it. */
async function prepare(held: Held, { database = 'default', settings, params }: QueryContext): Promise<void> {
  const { session, settings: past } = held;
  if (database !== held.database) await run(session, `USE ${`\`${database.replaceAll('`', '')}\``}`);
  held.database = database;
  const names = Object.keys(settings).filter((name) => NAME.test(name));
  const set = [
    ...Object.keys(past).flatMap((name) => (name in settings ? [] : [`${name} = DEFAULT`])),
    ...names.flatMap((name) => (past[name] === settings[name] ? [] : [`${name} = ${quoted(settings[name] ?? '')}`])),
    ...Object.entries(params).map(([name, value]) => `param_${name} = ${quoted(value)}`),
  ];
  // Nothing is set where one of them is unknown.
  if (set.length > 0) await run(session, `SET ${set.join(', ')}`);
  held.settings = Object.fromEntries(names.map((name) => [name, settings[name] ?? '']));
}

/** Opens the engine over a folder. A process can open one folder. */
export function openEngine(folder: string, connections: number): Engine {
  const free = Array.from({ length: connections }, (): Held => {
    return { session: new Session(folder), database: undefined, settings: {} };
  });
  const waiting: ((held: Held) => void)[] = [];

  const take = (): Promise<Held> => {
    const held = free.pop();
    return held ? Promise.resolve(held) : new Promise((resolve) => waiting.push(resolve));
  };
  const give = (held: Held): void => {
    const next = waiting.shift();
    if (next) next(held);
    else free.push(held);
  };

  return {
    async use(context, work) {
      const held = await take();
      const { session } = held;
      try {
        await prepare(held, context);
        return await work({
          run: (sql, format) => run(session, sql, format),
          stream: (sql, format) => session.queryStream(sql, { format }),
        });
      } finally {
        give(held);
      }
    },
  };
}
