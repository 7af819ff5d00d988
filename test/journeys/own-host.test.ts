/** The hosts whose pages may begin a session: those that can only be this service. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { NOW, type Running, startJourney } from './service.ts';

/** The status and the code of a sign-in by a page of the host. */
async function signIn(running: Running, host: string): Promise<unknown[]> {
  const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g' }, NOW);
  const { port } = new URL(running.service.origin);
  const called = host === '' ? `127.0.0.1:${port}` : host.replace('PORT', port);
  const headers = { host: called, origin: `http://${called}`, 'content-type': 'application/json' };
  return await new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/session', method: 'POST', headers }, (answer) => {
      answer.setEncoding('utf8');
      let text = '';
      answer.on('data', (some: string) => {
        text += some;
      });
      answer.on('end', () => resolve([answer.statusCode, text === '' ? '' : JSON.parse(text).code]));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ clientId: id, clientSecret: secret }));
  });
}

const OWN = [204, ''];
const OTHER = [403, 'cross_site_refused'];

describe('a session begins', () => {
  it('at the loopback only, where the service listens there', async () => {
    const running = await startJourney();
    try {
      for (const host of ['', 'localhost:PORT', '127.0.0.2', '[::1]:PORT'])
        assert.deepEqual(await signIn(running, host), OWN, host);
      for (const host of [
        'evil.example:PORT',
        'localhost.evil.example',
        '192.168.1.5:PORT',
        '127.evil.example',
        '[::2]',
      ])
        assert.deepEqual(await signIn(running, host), OTHER, host);
    } finally {
      await running.stop();
    }
  });

  it('at any address, but at no name, where the service listens on all', async () => {
    const running = await startJourney({ host: '0.0.0.0' });
    try {
      for (const host of ['', '192.168.1.5:PORT', '[::2]']) assert.deepEqual(await signIn(running, host), OWN, host);
      assert.deepEqual(await signIn(running, 'evil.example:PORT'), OTHER);
    } finally {
      await running.stop();
    }
  });
});
