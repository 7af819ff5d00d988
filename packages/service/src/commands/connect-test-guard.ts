/**
 * What a module that is tested may do to the process: end it, or throw where nobody waits. Both are said as its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Effects } from '@daypart/cli';
import { maskedText, saidError } from '../connections/suite/said.ts';

interface ModuleGuard {
  /** A temporary folder, which is removed however the process ends. */
  folder: string;
  /** Texts that are not shown. */
  secrets: string[];
  /** The work, unless the module fails outside of it: then throws Error that says how. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Runs it when the suite is over, or the process ends before. */
  onClose(run: () => void): void;
  /** The suite is over: removes the folder. */
  close(): void;
}

const FAILED = 1;
const SIGNALS = { SIGINT: 130, SIGTERM: 143 };

/** Watches the process until it is closed. `file` names the module in words, `module` is its URL. */
export function guardModule(
  { file, module }: { file: string; module: string },
  effects: Pick<Effects, 'stderr' | 'onSignal' | 'exit'>,
): ModuleGuard {
  const folder = mkdtempSync(join(tmpdir(), 'daypart-connect-test-'));
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const secrets: string[] = [];
  const closing: (() => void)[] = [];
  const fail = (text: string): void => failed.reject(new Error(maskedText(`${file} ${text}`, secrets)));
  const onThrown = (error: unknown): void => fail(`threw outside of its functions: ${saidError(error, module)}`);
  // Nothing is left to do, and the suite still waits.
  const onIdle = (): void => fail('waits for what never happens');
  const onExit = (): void => {
    close();
    effects.stderr.write(`daypart: ${file} ended the process before the suite was over\n`);
    process.exitCode = FAILED;
  };
  process.on('exit', onExit).on('beforeExit', onIdle);
  process.on('uncaughtException', onThrown).on('unhandledRejection', onThrown);
  const unheard = Object.entries(SIGNALS).map(([signal, code]) =>
    effects.onSignal(signal as keyof typeof SIGNALS, () => {
      close();
      effects.exit(code);
    }),
  );

  function close(): void {
    process.off('exit', onExit).off('beforeExit', onIdle);
    process.off('uncaughtException', onThrown).off('unhandledRejection', onThrown);
    for (const off of unheard) off();
    for (const run of closing) run();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  return {
    folder,
    secrets,
    race: (work) => Promise.race([work, failed.promise]),
    onClose: (run) => void closing.push(run),
    close,
  };
}
