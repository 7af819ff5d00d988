/**
 * The operations as a collection of Postman (format 2.1), which Bruno, Insomnia and Hoppscotch import too. It is made
 * from the description, so that it cannot be out of date.
 */

import { isObject } from '../contract/json.ts';
import type { ShownContent, ShownOperation, ShownParameter } from './document.ts';
import type { ReferencePage } from './reference-pages.ts';
import { exampleText, isForm, isJson, isMultipart, sentContent } from './reference-parts.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const ABOUT =
  'Fill in the variables clientId and clientSecret, then send "Get an access token by client credentials" of the folder Tokens: it sets the token of all other requests. A request that creates a report sets the GUID of those that read one. The variable origin is the address of the service.';

/** Properties and parameters that are variables of the collection instead of examples. */
const VARIABLES: Record<string, string> = {
  client_id: '{{clientId}}',
  client_secret: '{{clientSecret}}',
  clientSecret: '{{clientSecret}}',
  reportRequestGuid: '{{reportRequestGuid}}',
};
const LOGIN = 'login';

const sentValue = (name: string, example: unknown): string => VARIABLES[name] ?? String(example ?? '');

/** A parameter of the query or a header: what is optional is sent only if the user switches it on. */
const entryOf = ({ name, example, description, required }: ShownParameter) => ({
  key: name,
  value: sentValue(name, example),
  description,
  disabled: required ? undefined : true,
});

/** The fields of a form; credentials are sent, other optional fields only if the user switches them on. */
function formEntries({ example, schema }: ShownContent) {
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(isObject(example) ? example : {}).map(([key, value]) => ({
    key,
    type: Array.isArray(value) ? 'file' : 'text',
    value: Array.isArray(value) ? undefined : sentValue(key, value),
    disabled: required.includes(key) || key in VARIABLES || Array.isArray(value) ? undefined : true,
  }));
}

/** The JSON of a login has the credentials of the collection; any other text is the example itself. */
const rawOf = (id: string, content: ShownContent): string =>
  id === LOGIN && isObject(content.example)
    ? JSON.stringify({ ...content.example, clientId: '{{clientId}}', clientSecret: '{{clientSecret}}' }, null, 2)
    : exampleText(content);

function bodyOf(id: string, content: ShownContent | undefined) {
  if (!content) return undefined;
  if (isForm(content)) return { mode: 'urlencoded', urlencoded: formEntries(content) };
  if (isMultipart(content)) return { mode: 'formdata', formdata: formEntries(content) };
  const language = isJson(content.mediaType) ? 'json' : 'text';
  return { mode: 'raw', raw: rawOf(id, content), options: { raw: { language } } };
}

/** The variable that an answer sets, and where the answer has its value; undefined for most operations. */
function resultOf({ id, method, answers }: ShownOperation): string | undefined {
  if (id === 'issueToken') return "'token', pm.response.json().access_token";
  if (id === LOGIN) return "'token', pm.response.json().token.accessToken";
  const ok = answers.find(({ status }) => status === '200');
  const guid = method === 'POST' && ok?.contents.some(({ schema }) => schema.type === 'string');
  return guid ? "'reportRequestGuid', pm.response.json()" : undefined;
}

function eventsOf(operation: ShownOperation) {
  const result = resultOf(operation);
  if (result === undefined) return undefined;
  const exec = [`if (pm.response.code === 200) pm.collectionVariables.set(${result});`];
  return [{ listen: 'test', script: { type: 'text/javascript', exec } }];
}

function itemOf(operation: ShownOperation, basePath: string) {
  const { id, method, path, summary, description, scopes, parameters } = operation;
  const of = (place: string): ShownParameter[] => parameters.filter((parameter) => parameter.in === place);
  const segments = path
    .slice(basePath.length + 1)
    .replace(/\{([^}]+)\}/g, ':$1')
    .split('/');
  const query = of('query').map(entryOf);
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  const content = sentContent(operation);
  const sentBody = bodyOf(id, content);
  const typed = content && sentBody?.mode === 'raw' ? [{ key: 'Content-Type', value: content.mediaType }] : [];
  return {
    name: summary,
    id,
    event: eventsOf(operation),
    request: {
      method,
      description,
      auth: scopes === undefined ? { type: 'noauth' } : undefined,
      header: [...typed, ...of('header').map(entryOf)],
      url: {
        raw: `{{origin}}/${segments.join('/')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
        host: ['{{origin}}'],
        path: segments,
        query,
        variable: of('path').map(({ name, example, description: about }) => ({
          key: name,
          value: sentValue(name, example),
          description: about,
        })),
      },
      body: sentBody,
    },
  };
}

/**
 * A folder for each page of the reference, with its operations. `origin` is that of the service as the caller sees it,
 * with the base path, which the paths of the operations have too.
 */
export const makeCollection = (pages: readonly ReferencePage[], origin: string, basePath: string): object => ({
  info: { name: 'Daypart', description: ABOUT, schema: SCHEMA },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
  variable: [
    { key: 'origin', value: origin },
    { key: 'clientId', value: '' },
    { key: 'clientSecret', value: '' },
    { key: 'token', value: '' },
    { key: 'reportRequestGuid', value: '' },
  ],
  item: pages.map(({ title, about, operations }) => ({
    name: title,
    description: about,
    item: operations.map((operation) => itemOf(operation, basePath)),
  })),
});
