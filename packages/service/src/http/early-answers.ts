/** Answers that are sent before the whole request has arrived, such as 401 to a large body, or instead of it. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** How long the rest of a request is read after its answer. */
const DISCARD_MS = 30_000;

/**
 * Reads and discards the rest of a request that was answered early. Most clients send the whole request before they
 * read the answer: if the service stopped reading, they would wait, and if it closed the connection, the rest would
 * reset it, and the client or a proxy would lose the answer (RFC 9112 9.6).
 */
export function discardAfterAnswers(server: Server): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    // A request without a body has no rest (RFC 9112 6.3).
    if (length === undefined && coding === undefined) return;
    // Before Node's own listener, which closes the connection after its last answer.
    response.prependListener('finish', () => {
      if (!request.complete && !request.destroyed) discardRest(request);
    });
  });
}

function discardRest(request: IncomingMessage): void {
  const { socket } = request;
  const timer = setTimeout(() => socket.destroy(), DISCARD_MS).unref();
  // Node calls it after the last answer of a connection.
  const { destroySoon } = socket;
  socket.destroySoon = () => {
    socket.end();
    request.once('end', () => destroySoon.call(socket));
  };
  request.once('end', () => {
    clearTimeout(timer);
    socket.destroySoon = destroySoon;
  });
  request.once('close', () => clearTimeout(timer));

  // A reader that still waits for a piece of the body would pause it again when the piece arrives.
  request.removeAllListeners('readable').unpipe();
  request.resume();
}

/**
 * Sends 100 when the body of a request with `Expect: 100-continue` is first read. What can be refused by its head is
 * answered before, so its client never sends the body (RFC 9110 10.1.1); Node then closes the connection.
 */
export function continueWhenRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const { _read } = request;
    request._read = (size) => {
      request._read = _read;
      if (!response.headersSent) response.writeContinue();
      _read.call(request, size);
    };
    server.emit('request', request, response);
  });
}
