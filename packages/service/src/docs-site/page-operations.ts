/** The operations of the pages. */
import { Text, Type } from '../contract/schemas.ts';
import { ifNoneMatch, taggedAnswers } from '../http/conditional.ts';
import type { Answer, Header, Operation } from '../http/operation.ts';

const CODING: Header = { description: 'By `Accept-Encoding`', schema: Text('zstd'), optional: true };

const Page: Answer = {
  description: 'An HTML page, complete without scripts and other hosts',
  headers: {
    'Content-Security-Policy': {
      description: 'Only resources of the service itself are loaded',
      schema: Text("default-src 'none'; script-src 'self'"),
    },
    'X-Content-Type-Options': { description: 'Browsers must not guess another type', schema: Type.Literal('nosniff') },
    'Content-Encoding': CODING,
  },
  content: { 'text/html': Text('<!doctype html>…') },
};

const page = (id: string, summary: string, more: Partial<Operation> = {}): Operation => ({
  id,
  summary,
  tag: 'Operations',
  anyQuery: true,
  answers: { 200: Page },
  ...more,
});

/** For browsers; programs get the problem. */
const NoPage: Answer = {
  description: 'For a browser, an HTML page',
  content: { 'text/html': Text('<!doctype html>…') },
};

const path = (name: string, description: string, example: string) => ({
  in: 'path' as const,
  name,
  description,
  schema: Text(example),
});

export const readDocs = page('readDocs', 'Read the start page of the docs');
export const readReferenceIndex = page('readReference', 'Read the list of all operations');
export const readReferencePage = page('readReferencePage', 'Read operations with a form to try each', {
  parameters: [path('page', 'The name of the group of operations', 'metrics')],
  answers: { 200: Page, 404: NoPage },
  problems: ['route_not_found'],
});
export const readProblems = page('readProblems', 'Read the list of problems');
export const readProblem = page('readProblem', 'Read what a problem means', {
  parameters: [path('code', 'The code of the problem', 'span_too_long')],
  answers: { 200: Page, 404: NoPage },
  problems: ['route_not_found'],
});
export const readGuide = page('readGuide', 'Read a guide', {
  parameters: [path('guide', 'Its name', 'metrics')],
  answers: { 200: Page, 404: NoPage },
  problems: ['route_not_found'],
});
/** JSON for programs, with an entity tag. */
const file = (id: string, summary: string, description: string): Operation => ({
  id,
  summary,
  tag: 'Operations',
  anyQuery: true,
  parameters: [ifNoneMatch],
  answers: taggedAnswers(description, Type.Object({}, { additionalProperties: true })),
});
export const readSearch = file(
  'readSearch',
  'Read the index of the search over the docs',
  'Which sections have which words',
);
export const readCollection = file(
  'readCollection',
  'Read all operations as a collection for Postman',
  'A collection in the format 2.1',
);
export const readAsset: Operation = {
  id: 'readAsset',
  summary: 'Read the style or the script of the pages',
  tag: 'Operations',
  parameters: [
    path('version', 'The version that the pages name', '3f2a'),
    path('file', 'The name of the file', 'pages.css'),
  ],
  answers: {
    200: {
      description: 'The file, cacheable forever: its address changes with its content',
      headers: {
        'Cache-Control': { description: 'A year, immutable', schema: Text('public, max-age=31536000, immutable') },
        'Content-Encoding': CODING,
      },
      content: { 'text/css': Text('body{}'), 'text/javascript': Text('export {};') },
    },
    404: NoPage,
  },
  problems: ['route_not_found'],
};
