/**
 * The faults: the columns of the table. Each says how it is caused, what a call may be answered meanwhile, and how it
 * ends.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stop } from '../commands/process.ts';
import type { ServiceOn } from './service-on.ts';

export interface Place {
  /** A folder of its own, on a small file system of its own if the fault requires one. */
  above: string;
  data: string;
}

export interface Fault {
  /** Problems with which an operation may be refused, as `status code`. */
  refusals: readonly string[];
  /** Whether an operation may also be acknowledged. */
  mayAcknowledge: boolean;
  /** Whether the process may end, so that calls are cut off. */
  ends?: boolean;
  /** Whether the calls are made one after the other on one connection. */
  inTurn?: boolean;
  /** Whether it takes a file system that is mounted for it. */
  mounts?: boolean;
  cause(place: Place, service: ServiceOn): void | Promise<void>;
  /** Whether the service says so in `/readyz`. */
  isShown?: boolean;
  /** Called when the process has ended, before it is started again. False if nothing is left to start on. */
  heal?(place: Place): boolean;
}

const LOST = ['503 storage_lost'];

/** The engine's process. */
function childrenOf(pid: number): number[] {
  const listed = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)]).stdout.toString();
  return listed.split('\n').map(Number).filter(Boolean);
}

/** Lets the processes open no more files: a new one would get the lowest number that is free. */
function stopOpening(pid: number): void {
  for (const one of [pid, ...childrenOf(pid)]) {
    const open = new Set(readdirSync(`/proc/${one}/fd`).map(Number));
    let free = 0;
    while (open.has(free)) free++;
    execFileSync('prlimit', ['--pid', String(one), `--nofile=${free}:${free}`]);
  }
}

/** Bytes of the header of a SQLite file that are reserved and always zero. */
const RESERVED_AT = 80;

/** Changes a bit of the ledger that SQLite does not use, so that it can be changed back. */
function flip(data: string): void {
  const file = openSync(join(data, 'ledger.sqlite'), 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, RESERVED_AT);
  writeSync(file, Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, RESERVED_AT);
  closeSync(file);
}

export const FAULTS: Record<string, Fault> = {
  'kill -9': {
    refusals: [],
    mayAcknowledge: true,
    ends: true,
    async cause(_place, { child }) {
      await stop(child, 'SIGKILL');
    },
  },
  'a full disk': {
    refusals: ['503 storage_full'],
    mayAcknowledge: true,
    mounts: true,
    cause: ({ above }) => void spawnSync('dd', ['if=/dev/zero', `of=${join(above, 'filler')}`, 'bs=4k']),
    heal({ above }) {
      rmSync(join(above, 'filler'));
      return true;
    },
  },
  'a removed folder': {
    refusals: LOST,
    mayAcknowledge: false,
    ends: true,
    cause: ({ data }) => rmSync(data, { recursive: true }),
    heal: ({ data }) => {
      if (existsSync(data)) throw new Error(`${data} was made again: ${readdirSync(data)}`);
      return false;
    },
  },
  'a folder that is moved away': {
    refusals: LOST,
    mayAcknowledge: false,
    ends: true,
    cause: ({ data }) => renameSync(data, `${data}.away`),
    heal({ data }) {
      renameSync(`${data}.away`, data);
      return true;
    },
  },
  'a replaced folder': {
    refusals: LOST,
    mayAcknowledge: false,
    ends: true,
    cause({ data }) {
      cpSync(data, `${data}.copy`, { recursive: true });
      renameSync(data, `${data}.away`);
      renameSync(`${data}.copy`, data);
    },
    heal: () => true,
  },
  'a mount that vanishes': {
    refusals: LOST,
    mayAcknowledge: false,
    ends: true,
    mounts: true,
    cause: ({ above }) => void execFileSync('umount', ['-l', above]),
    heal: () => false,
  },
  'a read-only mount': {
    refusals: ['503 storage_failed'],
    mayAcknowledge: true,
    mounts: true,
    cause({ data }) {
      execFileSync('mount', ['--bind', data, data]);
      execFileSync('mount', ['-o', 'remount,ro,bind', data]);
    },
    heal({ data }) {
      execFileSync('umount', [data]);
      return true;
    },
  },
  'a damaged ledger': {
    refusals: ['503 storage_failed'],
    mayAcknowledge: true,
    isShown: true,
    async cause({ data }) {
      // Until the sums of all pages are known.
      while (!existsSync(join(data, 'ledger.sums'))) await sleep(10);
      flip(data);
    },
    heal({ data }) {
      flip(data);
      return true;
    },
  },
  'no more open files': {
    refusals: ['503 unavailable'],
    mayAcknowledge: true,
    inTurn: true,
    cause: (_place, { child }) => stopOpening(Number(child.pid)),
    heal: () => true,
  },
};

/** Makes the folder of a fault; undefined where no file system can be mounted. */
export function makePlace({ mounts = false }: Fault): Place | undefined {
  const above = mkdtempSync(join(tmpdir(), 'daypart-faults-'));
  if (mounts && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', above]).status !== 0) {
    rmSync(above, { recursive: true });
    return undefined;
  }
  return { above, data: join(above, 'data') };
}

/** Removes it. */
export function removePlace({ above, data }: Place, { mounts = false }: Fault): void {
  for (const mounted of mounts ? [data, above] : []) spawnSync('umount', ['-l', mounted]);
  rmSync(above, { recursive: true, force: true });
}
