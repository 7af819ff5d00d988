/** Calls every operation with every scope. */
import assert from 'node:assert/strict';
import type { Config } from '../../packages/service/src/config/config.ts';
import { SCOPE_GUEST, SCOPE_READ, SCOPES } from '../../packages/service/src/contract/words.ts';
import { startJourney } from './service.ts';

/** What the credentials of a call have: nothing, each scope alone, and the two that go together. */
const HELD: readonly (readonly string[])[] = [...SCOPES.map((scope) => [scope]), [SCOPE_READ, SCOPE_GUEST]];
const METHODS = ['get', 'post', 'put', 'delete'] as const;

interface Operation {
  name: string;
  method: string;
  url: string;
  /** The sets of scopes of which one is required; empty if the operation takes no token. */
  alternatives: string[][];
}

type Described = Record<string, { servers?: unknown } & Record<string, { security: { oauth2?: string[] }[] }>>;

const NOTHING = '0d000000-0000-4000-8000-00000000dead';

/**
 * The operations of the description, with the own group and GUIDs that name nothing in their paths: another group needs
 * more.
 */
function operationsOf(paths: Described, origin: string): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      url: `${origin}${'servers' in item ? '' : '/v1'}${path.replace('{group}', 'g').replace(/\{[^}]+\}/g, NOTHING)}`,
      alternatives: (item[method]?.security ?? []).flatMap(({ oauth2 }) => (oauth2 ? [oauth2] : [])),
    })),
  );
}

/**
 * Calls without a body. Returns the code of the problem, undefined for other answers; an answer that does not end is
 * left.
 */
async function codeOf({ method, url }: Operation, token: string | undefined): Promise<string | undefined> {
  const leaving = new AbortController();
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(url, { method, headers, signal: leaving.signal });
  try {
    if (!answer.headers.get('content-type')?.startsWith('application/problem+json')) return undefined;
    return ((await answer.json()) as { code: string }).code;
  } finally {
    leaving.abort();
  }
}

/** Each operation asks for the scopes that its description names, under the settings. */
export async function checkScopes(settings: Partial<Config>): Promise<void> {
  const running = await startJourney(settings);
  try {
    const { paths } = (await running.call('GET', '/openapi.json', { base: '' })).body as { paths: Described };
    const operations = operationsOf(paths, running.service.origin).filter(({ alternatives }) => alternatives.length);
    const wrong: string[] = [];
    await Promise.all(
      operations.map(async (operation) => {
        const code = await codeOf(operation, undefined);
        if (code !== 'token_missing') wrong.push(`${operation.name} without a token: ${code}`);
      }),
    );
    for (const scopes of HELD) {
      const token = await running.login('g', { scopes: [...scopes] });
      await Promise.all(
        operations.map(async (operation) => {
          const suffices = operation.alternatives.some((all) => all.every((scope) => scopes.includes(scope)));
          const code = await codeOf(operation, token);
          if ((code === 'scope_missing') === suffices) wrong.push(`${operation.name} with ${scopes}: ${code}`);
        }),
      );
    }
    assert.ok(operations.length > 80);
    assert.deepEqual(wrong, []);
  } finally {
    await running.stop();
  }
}
