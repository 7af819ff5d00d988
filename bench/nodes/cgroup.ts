/** Limits processes to a share of a core by a control group, version 2 or 1. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Short, so that a limited process waits milliseconds and not a tenth of a second. */
const PERIOD_US = 20_000;
/**
 * What a process did not use of one period it may use in the next, so that it has its share on average: on two cores
 * that servers and clients use as well, four nodes had 0.66 to 0.72 of their 0.8 cores without it. Linux has it since
 * 5.14.
 */
const BURST = { v2: 'cpu.max.burst', v1: 'cpu.cfs_burst_us' };
const V2 = '/sys/fs/cgroup';
const V1 = '/sys/fs/cgroup/cpu';

const isV2 = (): boolean =>
  existsSync(join(V2, 'cgroup.controllers')) &&
  / ?cpu\b/.test(readFileSync(join(V2, 'cgroup.subtree_control'), 'utf8'));

/** The group of this process, of version 1: what is held stays in it. */
function ownGroup(): string | undefined {
  const [, path] = /^\d+:[\w,]*\bcpu\b[\w,]*:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
  const folder = join(V1, path ?? '');
  return existsSync(join(folder, 'cgroup.procs')) ? folder : undefined;
}

/**
 * Holds each of the processes, and what they start from then on, to a share of a core together; the function releases
 * them. Undefined where this process may not.
 */
export function holdTo(share: number, pids: readonly number[]): (() => void) | undefined {
  const root = isV2() ? V2 : ownGroup();
  if (!root) return undefined;
  const group = join(root, `daypart-bench-${process.pid}-${pids[0]}`);
  const quota = Math.round(share * PERIOD_US);
  const moveTo = (folder: string): void => {
    for (const pid of pids) if (existsSync(`/proc/${pid}`)) writeFileSync(join(folder, 'cgroup.procs'), String(pid));
  };
  try {
    mkdirSync(group);
    if (root === V2) writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`);
    else {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota));
    }
    const burst = join(group, root === V2 ? BURST.v2 : BURST.v1);
    if (existsSync(burst)) writeFileSync(burst, String(quota));
    moveTo(group);
  } catch (error) {
    if (['EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  return () => {
    // What it started since then is in the group as well.
    for (const pid of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
      writeFileSync(join(root, 'cgroup.procs'), pid);
    rmdirSync(group);
  };
}
