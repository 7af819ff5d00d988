/** Answers of a service that has lost its data folder: no write is acknowledged that no start would find. */
import type { FastifyInstance } from 'fastify';
import type { FolderWatch } from '../storage/folder-watch.ts';

const READS = ['GET', 'HEAD', 'OPTIONS'];

/** Refuses all requests once the loss is known, and checks before each answer to a write. */
export function refuseWithoutFolder(app: FastifyInstance, folder: FolderWatch | undefined): void {
  if (!folder) return;
  app.addHook('onRequest', (_request, _reply, done) => {
    if (folder.isLost()) folder.check();
    done();
  });
  app.addHook('onSend', ({ method }, { statusCode }, payload, done) => {
    if (!READS.includes(method) && statusCode < 400) folder.check();
    done(null, payload);
  });
}
