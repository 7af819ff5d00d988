/** The fuzzer of test/fuzz for any number of requests: no answer is a 5xx, and none is missing in the description. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const FUZZER = fileURLToPath(new URL('../fuzz/contract.test.ts', import.meta.url));

export async function fuzz(requests: number, tell: (line: string) => void): Promise<string> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--test', FUZZER], {
    env: { ...process.env, FUZZ: String(requests) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    tell(line);
  }
  if (child.exitCode === null) await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`the fuzzer found a fault:\n${lines.slice(-60).join('\n')}`);
  const seed = /FUZZ_SEED=(\d+)/.exec(lines.join('\n'))?.[1];
  return `${requests} requests (FUZZ_SEED=${seed}), each answered as described, 0 with 5xx`;
}
