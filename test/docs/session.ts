/** Runs the examples of one file, in their order, in one shell, against the demo. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_RESTAURANTS } from '../../packages/service/src/demo/restaurants.ts';
import { freePort } from '../ports.ts';
import { CLIENT, type Demo } from './demo.ts';
import { unlikeHttp, unlikeJsonText, unlikeText } from './likeness.ts';
import { type Block, ROOT } from './markdown.ts';

const SHELL = ['sh', 'bash'];
const SCRIPTS = ['js', 'ts', 'mjs'];
const OUTPUTS = ['json', 'text', 'http', 'csv', 'ndjson', ''];
/** Separates the pieces of output. */
const MARK = '\u001e';
/** The examples of the terminal take 15 s alone; on a machine with other work they were killed at 90. */
const LONGEST_MS = 240_000;

/** A piece of the script; its output is compared with `expected`, if there is one. */
interface Step {
  block: Block;
  commands: string;
  expected?: { language: string; text: string; line: number };
}

export interface Outcome {
  ran: Block[];
  notRun: Block[];
  faults: string[];
}

const placeOf = ({ file, line }: Pick<Block, 'file' | 'line'>): string => `${file}:${line}`;

/** `$ command` and the lines that it prints, as a terminal shows them. */
function sessionSteps(block: Block): Step[] {
  const parts = block.text.split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const [commands = '', ...out] = part.split('\n');
    return {
      block,
      commands: `{ ${commands}; } 2>&1`,
      expected: { language: 'text', text: out.join('\n'), line: block.line },
    };
  });
}

/** What the shell runs for a block that is a script; undefined for any other. */
function commandsOf({ language, line, text }: Block): string | undefined {
  if (SHELL.includes(language)) return text;
  return SCRIPTS.includes(language)
    ? `run_script ${language} ${line} <<'END_OF_SCRIPT'\n${text}\nEND_OF_SCRIPT`
    : undefined;
}

/** Which blocks to run, and which are neither an example nor the output of one. */
function planSteps(blocks: Block[]): Outcome & { steps: Step[] } {
  const plan: Outcome & { steps: Step[] } = { ran: [], notRun: [], faults: [], steps: [] };
  let last: Step | undefined;
  for (const block of blocks) {
    const { language, text, hidden, notRun } = block;
    if (notRun !== undefined) {
      if (notRun === '') plan.faults.push(`${placeOf(block)}: say why it is not run`);
      plan.notRun.push(block);
      last = undefined;
      continue;
    }
    const commands = commandsOf(block);
    if (hidden !== undefined) {
      last = { block, commands: hidden };
      plan.steps.push(last);
    }
    if (commands !== undefined) {
      last = { block, commands };
      plan.steps.push(last);
    } else if (text.startsWith('$ ')) plan.steps.push(...sessionSteps(block));
    else if (OUTPUTS.includes(language) && last && !last.expected) last.expected = { language, text, line: block.line };
    else {
      plan.faults.push(`${placeOf(block)}: neither run nor the output of what is; else say <!-- not run: why -->`);
      continue;
    }
    plan.ran.push(block);
  }
  return plan;
}

const PRELUDE = `set -euo pipefail
shopt -s expand_aliases
# Services, which end by signals, are processes of their own; any other command is run by command-host.ts where there is /proc.
daypart() {
  local name="\${1-}" host in out err code
  if [ "$name" = serve ] || [ "$name" = demo ] || [ ! -d /proc/self/fd ]; then
    node --disable-warning=ExperimentalWarning "$BIN_OF_DAYPART" "$@"
    return
  fi
  # Copies: what is sent is sent with another standard output.
  exec {host}<> "/dev/tcp/127.0.0.1/$HOST_OF_DAYPART" {in}<&0 {out}>&1 {err}>&2
  { printf '%s\\0' "/proc/$BASHPID/fd" "$in" "$out" "$err" "$PWD" "$#" "$@"; env -0; printf '\\0'; } >& "$host"
  read -r -u "$host" code
  exec {host}>&- {in}<&- {out}>&- {err}>&-
  return "$code"
}
# A refusal that no output below shows is a fault.
curl() {
  case " $* " in *' -sf '* | *' -f '* | *' --fail'*) command curl "$@" ;; *) command curl $REFUSED "$@" ;; esac
}
run_script() { cat > "example-$2.$1"; node --disable-warning=ExperimentalWarning "example-$2.$1"; }
set -a
REFUSED=--fail-with-body
TOKEN=$(curl -s -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials "$ORIGIN/oauth/token" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
`;

const compare = ({ language, text }: { language: string; text: string }, out: string): string | undefined => {
  if (language === 'json') return unlikeJsonText(text, out);
  return language === 'http' ? unlikeHttp(text, out) : unlikeText(text, out);
};

/**
 * Starts command-host.ts. It is a process of its own because the service of the examples holds the data folder that
 * commands open.
 */
export async function startHost(): Promise<{ commandPort: number; stop(): void }> {
  const file = join(ROOT, 'test/docs/command-host.ts');
  const host = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(host.stdout, 'data');
  return { commandPort: Number(line), stop: () => void host.kill() };
}

/** Runs what a file shows. Faults say where, and what was printed instead. */
export async function runFile(blocks: Block[], demo: Demo, commandPort: number): Promise<Outcome> {
  const { steps, ...outcome } = planSteps(blocks);
  if (steps.length === 0) return outcome;
  const [{ file } = { file: '' }] = blocks;
  const work = join(demo.folder, file.replace(/\W/g, '-'));
  await mkdir(work);
  await mkdir(join(work, 'backups'));
  // `./data` of the examples is the data folder of the service that they call; a package here lets npx find the
  // command.
  await symlink(join(demo.folder, 'data'), join(work, 'data'));
  await symlink(join(ROOT, 'node_modules'), join(work, 'node_modules'));
  await symlink(join(ROOT, 'test'), join(work, 'test'));
  await writeFile(join(work, 'package.json'), '{"private":true,"type":"module"}');

  const { origin, baseUrl } = demo.service;
  const ports = {
    8070: String(await freePort()),
    8080: new URL(origin).port,
    8090: String(await freePort()),
  };
  const script = steps.map(({ commands, expected }, index) => {
    const mine = commands.replaceAll(/\b(80[789]0)\b/g, (port) => ports[port as unknown as keyof typeof ports]);
    return `printf '${MARK}${index}\\n'; printf '${MARK}${index}\\n' >&2\nREFUSED=${expected ? '' : '--fail-with-body'}\n${mine}\n`;
  });
  await writeFile(join(work, 'examples.sh'), PRELUDE + script.join(''));
  // Into files: what an example leaves in the background would keep a pipe open.
  const [out, err] = [join(work, 'out.txt'), join(work, 'err.txt')];
  const child = spawn('bash', ['--norc', 'examples.sh'], {
    cwd: work,
    stdio: ['ignore', openSync(out, 'a'), openSync(err, 'a')],
    timeout: LONGEST_MS,
    // A group of its own, so that a service that an example left in the background ends with it.
    detached: true,
    env: {
      PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
      HOME: demo.folder,
      LC_ALL: 'C.UTF-8',
      ORIGIN: origin,
      BASE: baseUrl,
      CLIENT_ID: CLIENT.id,
      CLIENT_SECRET: CLIENT.secret,
      ROOT,
      RESTAURANT: DEMO_RESTAURANTS[0]?.guid,
      DATE: String(demo.lastDate),
      ENGINE_PID: String(demo.enginePid()),
      // Not DAYPART_…: the service refuses settings that it does not know.
      BIN_OF_DAYPART: join(ROOT, 'packages/service/bin/daypart.mjs'),
      HOST_OF_DAYPART: String(commandPort),
    },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  try {
    if (child.pid) process.kill(-child.pid, 'SIGTERM');
  } catch {
    // Nothing was left.
  }
  const printed = (await readFile(out, 'utf8')).split(MARK).slice(1);
  const told = (await readFile(err, 'utf8')).split(MARK).slice(1);

  for (const [index, step] of steps.entries()) {
    const text = printed[index]?.replace(/^\d+\n/, '');
    if (text === undefined) break;
    if (code !== 0 && index === printed.length - 1) {
      outcome.faults.push(
        `${placeOf(step.block)}: it failed (${code}):\n${text}${told[index]?.replace(/^\d+\n/, '') ?? ''}`,
      );
      break;
    }
    const unlike = step.expected && compare(step.expected, text);
    if (unlike) outcome.faults.push(`${file}:${step.expected?.line}: ${unlike}`);
  }
  return outcome;
}
