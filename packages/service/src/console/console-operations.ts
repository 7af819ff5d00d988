/** The operation of the console's files. */
import { Text, Type } from '../contract/schemas.ts';
import type { Operation } from '../http/operation.ts';

/** GET /console/{consoleFile}. */
export const readConsoleFile: Operation = {
  id: 'readConsoleFile',
  summary: 'Read a script, a style or a picture of the console',
  description:
    'The screens of the console are pages for browsers (`GET /` and others with `Accept: text/html`) and no operations; ' +
    'they name these files.',
  tag: 'Operations',
  parameters: [
    {
      in: 'path',
      name: 'consoleFile',
      description: 'The name of the file',
      schema: Text('main-3f2a9c10.js'),
      required: true,
    },
  ],
  answers: {
    200: {
      description: 'The file, cacheable forever: its name changes with its content',
      headers: {
        'Cache-Control': { description: 'A year, immutable', schema: Text('public, max-age=31536000, immutable') },
        'Content-Encoding': {
          description: 'By `Accept-Encoding`',
          schema: Type.Union([Type.Literal('br'), Type.Literal('gzip')]),
          optional: true,
        },
      },
      content: {
        'text/css': Text('body{}'),
        'text/javascript': Text('export {};'),
        'application/json': Type.Object({}, { additionalProperties: true, description: 'A source map' }),
        'image/svg+xml': Text('<svg></svg>'),
        'image/png': Type.String({ format: 'binary' }),
      },
    },
    404: { description: 'For a browser, an HTML page', content: { 'text/html': Text('<!doctype html>…') } },
  },
  problems: ['route_not_found'],
};
