/** The settings of connections to points of sale. */
import { readSecretKeys } from '../contract/secret-keys.ts';
import { onOff, setting } from './setting.ts';

export const sourceSettings = {
  connections: setting({
    parse: onOff,
    default: true,
    help: 'Preview: connections, by which restaurants are read from their point of sale and kept current',
  }),
  secretKey: setting<readonly string[]>({
    parse: readSecretKeys,
    default: [],
    defaultText: '`secret.key` in the data folder',
    help: 'Keys that encrypt the credentials of connections, 32 bytes in base64url each, separated by commas: the first encrypts, all decrypt; required with --ledger',
    secret: true,
  }),
  connectPrivate: setting({
    parse: onOff,
    default: false,
    help: 'Allow connections to plain http and private addresses, including loopback',
  }),
  connectSources: setting<readonly string[]>({
    parse: (value) => value.split(',').flatMap((file) => file.trim() || []),
    default: [],
    help: 'Modules, separated by commas, that read further kinds of point of sale: trusted code',
  }),
};
