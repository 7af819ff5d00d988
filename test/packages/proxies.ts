/** The proxies of deploy/, started from its examples with addresses of a test and a certificate of its own. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './pack.ts';

const NGINX = '/usr/sbin/nginx';
const CADDY = '/usr/bin/caddy';
/** The name that the examples serve. */
export const HOST = 'reports.example.com';

/** A folder with a certificate of its own. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-proxy-'));
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  });
  return folder;
}

interface Places {
  /** Where the proxy listens, and the service. */
  port: number;
  service: number;
  /** The path at which it passes on the service; all paths by default. */
  path?: string;
}

/** The lines of docs/install.md in the example: only what is below the path is passed on. */
function below(example: string, path: string | undefined, [all, one]: [all: string, one: (path: string) => string]) {
  assert.ok(example.includes(all), `the example has ${all}`);
  return path === undefined ? example : example.replace(all, () => one(path));
}

/** The example with addresses of this test, and the arguments of its command. */
const PROXIES: Record<string, { program: string; prepare(folder: string, places: Places): Promise<string[]> }> = {
  nginx: {
    program: NGINX,
    async prepare(folder, { port, service, path }) {
      const text = await readFile(join(ROOT, 'deploy/nginx.conf'), 'utf8');
      const example = below(text, path, ['location / {', (at) => `location ${at} {`])
        .replace('127.0.0.1:8080', `127.0.0.1:${service}`)
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace(/ssl_certificate +\S+;/, `ssl_certificate ${folder}/cert.pem;`)
        .replace(/ssl_certificate_key +\S+;/, `ssl_certificate_key ${folder}/key.pem;`);
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
      const file = join(folder, 'nginx.conf');
      await writeFile(
        file,
        `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
events {} http { access_log off; ${paths.join(' ')}
${example} }`,
      );
      const checked = spawnSync(NGINX, ['-t', '-c', file], { encoding: 'utf8' });
      assert.equal(checked.status, 0, checked.stderr);
      return ['-c', file];
    },
  },
  Caddy: {
    program: CADDY,
    async prepare(folder, { port, service, path }) {
      const text = await readFile(join(ROOT, 'deploy/Caddyfile'), 'utf8');
      const example = below(text, path, [
        'reverse_proxy 127',
        (at) => `redir ${at.slice(0, -1)} ${at}\n\treverse_proxy ${at}* 127`,
      ])
        .replace('127.0.0.1:8080', `127.0.0.1:${service}`)
        .replace(`${HOST} {`, `https://${HOST}:${port} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`);
      const file = join(folder, 'Caddyfile');
      await writeFile(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${example}`);
      const options = { encoding: 'utf8', env: { ...process.env, HOME: folder } } as const;
      const checked = spawnSync(CADDY, ['validate', '--config', file, '--adapter', 'caddyfile'], options);
      assert.equal(checked.status, 0, checked.stderr);
      return ['run', '--config', file, '--adapter', 'caddyfile'];
    },
  },
};

export interface RunningProxy {
  /** The certificate of its host. */
  certificate: Buffer;
  stop(): Promise<void>;
}

/** Each proxy, and why it cannot be tried here. */
export const PROXY_CASES = Object.entries(PROXIES).map(([name, { program }]) => ({
  name,
  skip: !existsSync(program) && `there is no ${program}`,
}));

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

/** Starts the proxy of that name, and waits until it accepts connections. Throws if it ends instead. */
export async function startProxy(name: string, places: Places): Promise<RunningProxy> {
  const { program, prepare } = PROXIES[name] ?? assert.fail(name);
  const folder = await makeFolder();
  const proxy = spawn(program, await prepare(folder, places), {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder },
  });
  async function stop(): Promise<void> {
    if (proxy.exitCode === null) {
      const closed = once(proxy, 'exit');
      proxy.kill('SIGTERM');
      await closed;
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  while (!(await accepts(places.port))) {
    if (proxy.exitCode !== null) {
      await stop();
      assert.fail(`${name} ended`);
    }
    await sleep(50);
  }
  return { certificate: await readFile(join(folder, 'cert.pem')), stop };
}
