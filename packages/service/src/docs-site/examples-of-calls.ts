/**
 * A call of an operation in each language: made from the declaration of the operation, so that it cannot be out of
 * date.
 */
import { isObject } from '../contract/json.ts';
import type { ShownContent, ShownOperation, ShownParameter } from './document.ts';
import { exampleText, isForm, isJson, isMultipart, sentContent } from './reference-parts.ts';

interface CallExample {
  /** `curl`, `typescript` or `python`. */
  language: string;
  title: string;
  text: string;
}

interface Call {
  method: string;
  origin: string;
  /** With the query that is required, from the origin. */
  path: string;
  headers: [string, string][];
  token: boolean;
  content: ShownContent | undefined;
  /** Whether `request` of the client makes the call: it is under its base URL, and speaks JSON. */
  byClient: boolean;
}

/** The base URL of the client, below the path of a proxy if there is one. */
const BASE = /^(.*?\/v1)\//;
const baseOf = (path: string): string => BASE.exec(path)?.[1] ?? '';
const exampleOf = ({ example, name }: ShownParameter): string => String(example ?? name);
const required = (operation: ShownOperation, place: string): ShownParameter[] =>
  operation.parameters.filter((parameter) => parameter.in === place && parameter.required);

function callOf(operation: ShownOperation, origin: string): Call {
  const { method, scopes, answers } = operation;
  const path = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((at, one) => at.replace(`{${one.name}}`, encodeURIComponent(exampleOf(one))), operation.path);
  const query = new URLSearchParams(
    required(operation, 'query').map((one): [string, string] => [one.name, exampleOf(one)]),
  );
  const headers = required(operation, 'header').map((one): [string, string] => [one.name, exampleOf(one)]);
  const content = sentContent(operation);
  const ok = answers.filter(({ status }) => status < '300');
  const answersJson = ok.every(
    ({ status, contents }) => status === '204' || contents.some((one) => isJson(one.mediaType)),
  );
  return {
    method,
    origin,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers,
    token: scopes !== undefined,
    content,
    byClient:
      BASE.test(path) &&
      headers.length === 0 &&
      answersJson &&
      (!content || (isJson(content.mediaType) && isObjectOrList(content.example))),
  };
}

const isObjectOrList = (value: unknown): boolean => isObject(value) || Array.isArray(value);

/** The properties of a form as text; files have a list. */
const fieldsOf = ({ example }: ShownContent): [string, unknown][] => (isObject(example) ? Object.entries(example) : []);
const FILE = 'OrderDetails.csv';
const BOUNDARY = 'end-of-part';

const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curlBody(content: ShownContent): string[] {
  if (isForm(content))
    return fieldsOf(content).map(([name, value]) => `--data-urlencode ${shellText(`${name}=${value}`)}`);
  if (isMultipart(content))
    return fieldsOf(content).map(
      ([name, value]) => `-F ${shellText(`${name}=${Array.isArray(value) ? `@${FILE}` : value}`)}`,
    );
  return [`-H ${shellText(`Content-Type: ${content.mediaType}`)}`, `--data-binary ${shellText(exampleText(content))}`];
}

function curlText({ method, origin, path, headers, token, content }: Call): string {
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}${shellText(origin + path)}`];
  if (token) parts.push('-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of headers) parts.push(`-H ${shellText(`${name}: ${value}`)}`);
  if (content) parts.push(...curlBody(content));
  return parts.join(' \\\n  ');
}

const scriptText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

function scriptBody(content: ShownContent): string {
  if (isForm(content)) return `new URLSearchParams(${indented(exampleText(content))})`;
  return isJson(content.mediaType)
    ? `JSON.stringify(${indented(exampleText(content))})`
    : scriptText(exampleText(content));
}

/** The lines that make a form with a file. */
const formLines = (content: ShownContent): string =>
  `import { openAsBlob } from 'node:fs';
import { env } from 'node:process';

const form = new FormData();
${fieldsOf(content)
  .map(([name, value]) =>
    Array.isArray(value)
      ? `form.append(${scriptText(name)}, await openAsBlob('${FILE}'), '${FILE}');\n`
      : `form.append(${scriptText(name)}, ${scriptText(String(value))});\n`,
  )
  .join('')}`;

function typescriptText({ method, origin, path, headers, token, content, byClient }: Call): string {
  if (byClient) {
    const options = content ? `, {\n  body: ${indented(exampleText(content))},\n}` : '';
    return `import { env } from 'node:process';
import { Daypart } from '@daypart/client';

const { CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '' } = env;
const daypart = new Daypart({ baseUrl: ${scriptText(origin + baseOf(path))}, clientId, clientSecret });

const answer = await daypart.request('${method}', ${scriptText(path.slice(baseOf(path).length))}${options});
console.log(answer);`;
  }
  const typed = content && !isForm(content) && !isMultipart(content);
  const lines = [
    ...(token ? ["Authorization: 'Bearer ' + env.TOKEN,"] : []),
    ...headers.map(([name, value]) => `${scriptText(name)}: ${scriptText(value)},`),
    ...(typed ? [`'Content-Type': ${scriptText(content.mediaType)},`] : []),
  ];
  const multipart = content && isMultipart(content);
  const sent = content ? `\n  body: ${multipart ? 'form' : scriptBody(content)},` : '';
  const carried = lines.length === 0 ? '' : `\n  headers: {\n    ${lines.join('\n    ')}\n  },`;
  const imports = token ? "import { env } from 'node:process';\n" : '';
  const made = multipart ? formLines(content) : imports && `${imports}\n`;
  return `${made}const answer = await fetch(${scriptText(origin + path)}, {
  method: '${method}',${carried}${sent}
});
console.log(answer.status, await answer.text());`;
}

/** A JSON value as Python writes it; the texts of JSON are those of Python. */
function pythonText(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const within = `${indent}    `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item) => pythonText(item, within))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonText(item, within)}`);
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${within}${item},\n`).join('')}${indent}${close}`;
}

function pythonBody(content: ShownContent): string {
  if (isForm(content)) return `urlencode(${pythonText(content.example, '    ')}).encode()`;
  if (isMultipart(content)) return 'form.encode()';
  if (isJson(content.mediaType)) return `json.dumps(${pythonText(content.example, '    ')}).encode()`;
  return `${JSON.stringify(exampleText(content))}.encode()`;
}

/** The lines that write a form with a file, for which Python has no function. */
const pythonForm = (content: ShownContent): string => {
  const parts = fieldsOf(content).map(([name, value]) => {
    const isFile = Array.isArray(value);
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${isFile ? `; filename="${FILE}"` : ''}\r\n\r\n`;
    return `${JSON.stringify(head)} + ${isFile ? `open("${FILE}").read()` : JSON.stringify(String(value))} + "\\r\\n"`;
  });
  return `form = (\n${parts.map((part, at) => `    ${at > 0 ? '+ ' : ''}${part}\n`).join('')}    + "--${BOUNDARY}--\\r\\n"\n)\n`;
};

const typeOfBody = (content: ShownContent): string =>
  isMultipart(content) ? `${content.mediaType}; boundary=${BOUNDARY}` : content.mediaType;

function pythonCall({ method, origin, path, headers, token, content }: Call): string {
  const carried = [
    ...(token ? ['"Authorization": "Bearer " + os.environ["TOKEN"]'] : []),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...(content ? [`"Content-Type": ${JSON.stringify(typeOfBody(content))}`] : []),
  ];
  const lines = [
    JSON.stringify(origin + path),
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(carried.length > 0 ? [`headers={${carried.join(', ')}}`] : []),
    ...(content ? [`data=${pythonBody(content)}`] : []),
  ];
  const json = content && isJson(content.mediaType);
  const imports = [...(json ? ['json'] : []), ...(token ? ['os'] : [])].map((name) => `import ${name}\n`).join('');
  const encodes = content && isForm(content) ? 'from urllib.parse import urlencode\n' : '';
  return `${imports}${encodes}from urllib.request import Request, urlopen

${content && isMultipart(content) ? pythonForm(content) : ''}call = Request(
${lines.map((line) => `    ${line},\n`).join('')})
with urlopen(call) as answer:
    print(answer.status, answer.read().decode())`;
}

/** The call with example values of what is required, for a service at this origin. `TOKEN` is of the environment. */
export function callExamples(operation: ShownOperation, origin: string): CallExample[] {
  const call = callOf(operation, origin);
  return [
    { language: 'curl', title: 'curl', text: curlText(call) },
    { language: 'typescript', title: 'TypeScript', text: typescriptText(call) },
    { language: 'python', title: 'Python', text: pythonCall(call) },
  ];
}
