/** Runs all scenarios one after the other: they share a proxy, whose rules are those of one of them at a time. */
import type * as Sdk from '../../../packages/client/src/index.ts';
import type { Call, Rule } from '../proxy.ts';
import { access } from './access.ts';
import { faults } from './faults.ts';
import { reading } from './reading.ts';
import type { Scenarios, Setup, World } from './scenario.ts';
import { waiting } from './waiting.ts';

export const SCENARIOS: Scenarios = { ...waiting, ...faults, ...access, ...reading };

/** One line for each: its name, and what went wrong. */
export async function runScenarios(sdk: typeof Sdk, origin: string, many: number): Promise<Record<string, string>> {
  const control = async <T>(path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${origin}/proxy/${path}`, { method: 'POST', body: JSON.stringify(body ?? null) });
    return (await answer.json()) as T;
  };
  const setup = await control<Setup>('setup');
  const world: World = {
    sdk,
    setup,
    origin,
    many,
    rules: (...rules: Rule[]) => control('rules', rules),
    async calls(method, path = /./) {
      const calls = await control<Call[]>('log');
      return calls.filter((call) => (method ?? call.method) === call.method && path.test(call.path));
    },
    client: (options) => new sdk.Daypart({ baseUrl: `${origin}/v1`, ...setup.reference, ...options }),
  };
  const outcomes: Record<string, string> = {};
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    await world.rules();
    outcomes[name] = await scenario(world).then(
      () => 'ok',
      (error) => String(error?.stack ?? error),
    );
  }
  return outcomes;
}
