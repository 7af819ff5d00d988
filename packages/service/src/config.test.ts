import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCommand } from './commands/read.ts';
import { readConfig, UsageError } from './config.ts';

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
  return assert.fail('was accepted');
};

describe('settings', () => {
  it('have the defaults of the table', () => {
    const config = readConfig({}, {});
    assert.deepEqual(
      [config.data, config.host, config.port, config.sandbox, config.limits],
      ['./data', '127.0.0.1', 8080, false, 'on'],
    );
  });

  it('come from flags before variables before defaults', () => {
    const env = { DAYPART_PORT: '1', DAYPART_HOST: '::1', OTHER: 'x' };
    const config = readConfig(readCommand('serve', ['--port', '2']).settings, env, { data: './demo' });
    assert.deepEqual([config.port, config.host, config.data], [2, '::1', './demo']);
  });

  it('take flags with =, with a space, and switches alone', () => {
    const { settings, words } = readCommand('backup', ['--port=3', '--sandbox', 'word', '--data', 'x']);
    assert.deepEqual({ ...settings }, { port: '3', sandbox: 'on', data: 'x' });
    assert.deepEqual(words, ['word']);
  });

  it('refuse unknown names with the nearest one', () => {
    assert.match(
      refusal(() => readCommand('serve', ['--prot', '1'])),
      /unknown flag --prot; did you mean --port\?/,
    );
    assert.match(
      refusal(() => readConfig({}, { DAYPART_SANDBX: '1' })),
      /DAYPART_SANDBX; did you mean DAYPART_SANDBOX\?/,
    );
  });

  it('refuse bad values by the name they came under', () => {
    assert.match(
      refusal(() => readConfig({ port: '70000' }, {})),
      /^--port must be a whole number/,
    );
    assert.match(
      refusal(() => readConfig({}, { DAYPART_SUNSET: 'soon' })),
      /^DAYPART_SUNSET must be an ISO date/,
    );
    assert.match(
      refusal(() => readConfig({}, { DAYPART_BOOTSTRAP_CLIENT: 'a:b' })),
      /must be id:secret:group/,
    );
    assert.match(
      refusal(() => readCommand('serve', ['--port'])),
      /--port needs a value/,
    );
  });

  it('read the bootstrap client, whose secret may have colons', () => {
    const { bootstrapClient } = readConfig({}, { DAYPART_BOOTSTRAP_CLIENT: 'id:se:cret:group' });
    assert.deepEqual(bootstrapClient, { id: 'id', secret: 'se:cret', group: 'group' });
  });

  it('leave the credentials of a command that calls a service alone', () => {
    const env = { DAYPART_CLIENT_ID: 'me', DAYPART_CLIENT_SECRET: 'secret' };
    assert.equal(readConfig({}, env).port, 8080);
  });
});
