/** `npm run upstream`: starts the stand-in for people and says how to reach it. docs/connect.md is a tour. */
import { parseArgs } from 'node:util';
import { parseInstant } from '../../packages/service/src/contract/clock.ts';
import { DEMO_RESTAURANTS } from '../../packages/service/src/demo/restaurants.ts';
import { startUpstream } from './upstream.ts';

const HELP = `Starts a stand-in for the live point of sale: its orders, labor, configuration and menus API, on loopback, with sample restaurants.

  --port N         port (default 8090)
  --at INSTANT     what its clock shows first, such as 2026-03-10T18:00:00Z (default now)
  --speed N        seconds that pass in it for each real one; 0 stops it (default 1)
  --restaurants N  how many of the eight sample restaurants (default 8)
  --seed TEXT      other text, other trade
`;

/** A number from 0 on. Throws a RangeError. */
function numberOf(text: string, name: string, most: number): number {
  const value = Number(text);
  if (text !== '' && value >= 0 && value <= most) return value;
  throw new RangeError(`--${name} is a number from 0 to ${most}`);
}

function optionsOf(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8090' },
      at: { type: 'string' },
      speed: { type: 'string', default: '1' },
      restaurants: { type: 'string', default: '8' },
      seed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const at = values.at === undefined ? Date.now() : parseInstant(values.at);
  if (at === undefined) throw new RangeError('--at is an instant such as 2026-03-10T18:00:00Z');
  const count = Math.max(1, numberOf(values.restaurants, 'restaurants', DEMO_RESTAURANTS.length));
  return {
    help: values.help,
    port: numberOf(values.port, 'port', 65_535),
    at,
    speed: numberOf(values.speed, 'speed', 1_000_000),
    restaurants: DEMO_RESTAURANTS.slice(0, count),
    seed: values.seed,
  };
}

/** Starts it with the arguments of a command line; returns its exit code, or undefined while it runs. */
async function run(args: string[]): Promise<number | undefined> {
  let options: ReturnType<typeof optionsOf>;
  try {
    options = optionsOf(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    return 2;
  }
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  const upstream = await startUpstream(options);
  const { world, clock, url } = upstream;
  const [client] = world.clients;
  const [house] = world.houses.values();
  console.log(`A stand-in for the live system, from its public documentation. Nothing in it is real.

  address     ${url}
  client id   ${client?.clientId}
  secret      ${client?.clientSecret}
  restaurant  ${house?.guid}  ${house?.settings.name}
  its clock   ${new Date(clock.now()).toISOString()}, ${clock.speed} s for each real one
  state       ${url}/stand-in

docs/connect.md is a tour. Ctrl-C stops it.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void upstream.close().then(() => process.exit(0)));
  return undefined;
}

const code = await run(process.argv.slice(2));
if (code !== undefined) process.exit(code);
