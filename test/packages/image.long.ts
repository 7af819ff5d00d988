/**
 * The image of the Containerfile, without a container engine: the packed service is installed as its first stage does,
 * and runs with the environment, user, entry point and health check of its second, in namespaces of its own
 * (bubblewrap) whose root file system is read-only. The base image is this machine's /usr. Requires root, Linux and
 * Debian's bubblewrap.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../ports.ts';
import { install, type Packed, packOnce, ROOT, run } from './pack.ts';

const BWRAP = '/usr/bin/bwrap';
const skip = !existsSync(BWRAP)
  ? 'there is no bubblewrap'
  : process.getuid?.() !== 0
    ? 'only root can become the user of the image'
    : spawnSync(BWRAP, ['--ro-bind', '/', '/', '--unshare-pid', 'true']).status !== 0 &&
      'bubblewrap can make no namespace here';

/** The instructions of the last stage. */
async function readStage() {
  const text = (await readFile(join(ROOT, 'Containerfile'), 'utf8')).replaceAll('\\\n', ' ');
  const stage = text.slice(text.lastIndexOf('\nFROM '));
  const words = (name: string): string[] =>
    JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(stage)?.[1] ?? '[]');
  const [, uid = ''] = /^USER (\d+)$/m.exec(stage) ?? [];
  const [, environment = ''] = /^ENV (.*)$/m.exec(stage) ?? [];
  const [, check = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(stage) ?? [];
  return {
    uid: Number(uid),
    environment: environment.split(' ').map((pair) => pair.split('=') as [string, string]),
    check: JSON.parse(check) as string[],
    command: [...words('ENTRYPOINT'), ...words('CMD')],
    volume: /^VOLUME (\S+)$/m.exec(stage)?.[1] ?? '',
  };
}

describe(skip ? `the image (left out: ${skip})` : 'the image', { skip }, () => {
  let packed: Packed;
  let installed: string;
  let volume: string;
  let port: number;
  let stage: Awaited<ReturnType<typeof readStage>>;
  before(async () => {
    stage = await readStage();
    port = await freePort();
    packed = await packOnce(['service']);
    installed = await install(packed.tarballs.service);
    await chmod(installed, 0o755);
    volume = await mkdtemp(join(tmpdir(), 'daypart-volume-'));
    await mkdir(join(volume, 'data'), { mode: 0o700 });
    await chown(join(volume, 'data'), stage.uid, stage.uid);
    await writeFile(join(volume, 'client'), 'me:secret:my-group\n', { mode: 0o444 });
  });
  after(async () => {
    await packed?.remove();
    for (const folder of [installed, volume]) if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Runs a command in the image, as its user and without capabilities, as the first process of its namespace. */
  function inImage(command: string[], info: 'pipe' | 'ignore' = 'ignore'): ChildProcess {
    const variables = [
      ...stage.environment,
      ...Object.entries({
        PATH: '/opt/node:/usr/bin:/bin',
        DAYPART_PORT: String(port),
        DAYPART_ENGINE_MEMORY: '512',
        DAYPART_METRICS_PORT: 'off',
        DAYPART_BOOTSTRAP_CLIENT_FILE: '/run/secrets/bootstrap_client',
      }),
    ];
    const args = [
      ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
      ...['--symlink', 'usr/bin', '/bin', '--proc', '/proc', '--dev', '/dev'],
      ...['/opt', '/opt/node', '/run', '/run/secrets'].flatMap((folder) => ['--perms', '0755', '--dir', folder]),
      ...['--ro-bind', process.execPath, '/opt/node/node', '--ro-bind', installed, '/opt/daypart'],
      ...['--ro-bind', join(volume, 'client'), '/run/secrets/bootstrap_client'],
      ...['--bind', join(volume, 'data'), stage.volume, '--remount-ro', '/'],
      ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--as-pid-1', '--die-with-parent', '--clearenv'],
      ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
      ...(info === 'pipe' ? ['--info-fd', '3'] : []),
      ...['setpriv', `--reuid=${stage.uid}`, `--regid=${stage.uid}`, '--clear-groups', '--no-new-privs'],
      ...['--bounding-set=-all', '--inh-caps=-all', '--', ...command],
    ];
    return spawn(BWRAP, args, { stdio: ['ignore', 'pipe', 'pipe', info] });
  }

  async function output(child: ChildProcess): Promise<{ code: number | null; text: string }> {
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (text += piece));
    const [code] = await once(child, 'close');
    return { code, text };
  }

  /** Starts the service; `stop` sends SIGTERM to it, the first process of its namespace, and answers its exit code. */
  async function startService(): Promise<{ stop(): Promise<{ code: number | null; text: string }> }> {
    const child = inImage(stage.command, 'pipe');
    const ended = output(child);
    let info = '';
    for await (const piece of child.stdio[3] as unknown as AsyncIterable<Buffer>) info += piece;
    const { 'child-pid': pid } = JSON.parse(info) as { 'child-pid': number };
    let over: { text: string } | undefined;
    void ended.then((end) => (over = end));
    for (;;) {
      assert.equal(over, undefined, over?.text);
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok) break;
      await sleep(100);
    }
    return {
      async stop() {
        process.kill(pid, 'SIGTERM');
        return await ended;
      },
    };
  }

  const token = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('me:secret').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });

  it('runs as a user without rights, and only its volume can be written', async () => {
    const script = `id -u; for file in /x /opt/daypart/x /usr/x /tmp/x; do (echo > $file) 2>/dev/null && echo wrote $file; done
      echo > ${stage.volume}/x && rm ${stage.volume}/x && echo volume; grep CapEff /proc/self/status`;

    const { text } = await output(inImage(['sh', '-c', script]));

    assert.ok(stage.uid >= 10_000, 'a user that no machine has otherwise');
    assert.deepEqual(text.trim().split('\n'), [String(stage.uid), 'volume', 'CapEff:\t0000000000000000']);
  });

  it('is healthy once it serves, has the client of the secret, exits 0 on SIGTERM, and resumes on its volume', async () => {
    const sick = await output(inImage(stage.check));
    assert.equal(sick.code, 1, sick.text);

    for (const _ of ['once', 'again']) {
      const service = await startService();
      const healthy = await output(inImage(stage.check));
      const answer = await token();
      const { code, text } = await service.stop();

      assert.equal(healthy.code, 0, healthy.text);
      assert.equal(answer.status, 200);
      assert.equal(code, 0, text);
      assert.match(text, /^Daypart listens on http:\/\/.*data in \/data/m);
    }
    assert.ok((await readdir(join(volume, 'data'))).includes('ledger.sqlite'));
    const { stdout } = await run('find', [join(volume, 'data'), '!', '-uid', String(stage.uid)]);
    assert.equal(stdout, '');
  });
});
