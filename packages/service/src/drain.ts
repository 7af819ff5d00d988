/**
 * How a server stops without breaking off clients. Closing idle connections at once resets the requests that are on their
 * way over them (15 of 143 in one stop), so for a while every answer says `Connection: close` instead and ends its connection.
 */
import type { Server, ServerResponse } from 'node:http';

/** Watches a server from its start; the function that it answers makes every further answer the last of its connection. */
export function watchConnections(server: Server): () => void {
  const underWay = new Set<ServerResponse>();
  let closing = false;
  // Before the framework's own listener, which may answer at once.
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (closing) {
      response.shouldKeepAlive = false;
      return;
    }
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  return () => {
    closing = true;
    for (const response of underWay) response.shouldKeepAlive = false;
    underWay.clear();
  };
}
