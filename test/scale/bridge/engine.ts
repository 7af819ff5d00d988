/**
 * Queries of the chDB engine, each on a connection that nobody else uses meanwhile. A connection runs one query at a
 * time; several run side by side. Settings and parameters are a connection's: they are set before a query and reset
 * after it.
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

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const NAME = /^\w+$/;

/** Opens the engine over a folder. A process can open one folder. */
export function openEngine(folder: string, connections: number): Engine {
  const free = Array.from({ length: connections }, () => new Session(folder));
  const waiting: ((session: Session) => void)[] = [];

  const take = (): Promise<Session> => {
    const session = free.pop();
    return session ? Promise.resolve(session) : new Promise((resolve) => waiting.push(resolve));
  };
  const give = (session: Session): void => {
    const next = waiting.shift();
    if (next) next(session);
    else free.push(session);
  };

  async function run(session: Session, sql: string, format = 'TabSeparated'): Promise<Ran> {
    const { rowsRead, bytesRead } = await session.queryAsync(sql, { format });
    return { rowsRead, bytesRead };
  }

  return {
    async use({ database = 'default', settings, params }, work) {
      const session = await take();
      const names = Object.keys(settings).filter((name) => NAME.test(name));
      const set = [
        ...names.map((name) => `${name} = ${quoted(settings[name] ?? '')}`),
        ...Object.entries(params).map(([name, value]) => `param_${name} = ${quoted(value)}`),
      ];
      try {
        await run(session, `USE ${`\`${database.replaceAll('`', '')}\``}`);
        if (set.length > 0) await run(session, `SET ${set.join(', ')}`);
        return await work({
          run: (sql, format) => run(session, sql, format),
          stream: (sql, format) => session.queryStream(sql, { format }),
        });
      } finally {
        if (names.length > 0)
          await run(session, `SET ${names.map((name) => `${name} = DEFAULT`).join(', ')}`).catch(() => undefined);
        give(session);
      }
    },
  };
}
