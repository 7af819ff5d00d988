/** The forms of the reference. Credentials and token live in this page's memory only: they end with it. */
import { element, showAnswer } from './answer.js';
import { curlLine, makeCall, send } from './call.js';
import './tabs.js';

/** @typedef {import('./call.js').Operation} Operation */
/** @typedef {import('./call.js').Parameter} Parameter */
/** @typedef {{ operation: Operation, details: HTMLDetailsElement, inputs: Map<Parameter, HTMLInputElement | HTMLSelectElement> }} Form */

/** The address of the service, with a slash at its end. This file is at docs/assets/{version}/. */
const ROOT = new URL('../../../', import.meta.url).href;

/** @type {import('./call.js').Session} */
const session = { clientId: '', clientSecret: '', token: '' };
/** @type {Form[]} */
const forms = [];
let made = 0;

const credentials = /** @type {HTMLElement} */ (document.getElementById('credentials'));
const yesterday = credentials.dataset.yesterday ?? '';
const restaurants = /** @type {HTMLDataListElement} */ (element('datalist', { id: 'restaurants' }));
document.body.append(restaurants);

/**
 * @param {string} text
 * @param {HTMLElement} control
 * @param {{ hint?: string, wide?: boolean }} [more]
 */
function field(text, control, { hint = '', wide = false } = {}) {
  control.id ||= `field-${++made}`;
  const label = element('label', { for: control.id }, [text]);
  if (hint) label.append(element('span', { class: 'hint' }, [hint]));
  return element('div', { class: wide ? 'field wide' : 'field' }, [label, control]);
}

/** A GUID of version 4. `crypto.randomUUID` exists only on secure origins, and a service in a LAN has none. */
function newGuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** @type {[HTMLElement, Operation][]} */
const places = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.try'))].map((place) => [
  place,
  JSON.parse(place.dataset.operation ?? '{}'),
]);
/** Of the calls that change a restaurant: a new one on the page that can create it, elsewhere the user's choice. */
const newRestaurant = places.some(([, { method, path }]) => method === 'PUT' && /\/restaurants\/\{\w+\}$/.test(path))
  ? newGuid()
  : '';
const isRestaurant = (/** @type {string} */ name) => /restaurant/i.test(name);

/** The question before a call that changes stored data: its path, and the name of the restaurant if it is known.
 * @param {Operation} operation
 * @param {import('./call.js').Call} call
 */
function question(operation, call) {
  const path = new URL(call.url).pathname;
  const named = [...restaurants.options].find(({ value }) => path.includes(value));
  return `${operation.method} ${path} changes what the service has stored${named ? ` of ${named.text}` : ''}. Send it?`;
}

/**
 * The first value of a field. Where the page can create a restaurant, a PUT goes to a new one, so that a trial neither
 * renames another nor replaces its names.
 * @param {Operation} operation
 * @param {Parameter} parameter
 */
function firstValue(operation, parameter) {
  if (parameter.in === 'path' && operation.method === 'PUT' && isRestaurant(parameter.name)) return newRestaurant;
  if (parameter.in === 'path' && !parameter.values) return '';
  return parameter.required && parameter.example !== undefined ? String(parameter.example) : '';
}

/**
 * @param {Operation} operation
 * @param {Parameter} parameter
 */
function control(operation, parameter) {
  const values = parameter.values ?? (parameter.type === 'boolean' ? ['false', 'true'] : undefined);
  if (values) {
    const options = [...(parameter.required ? [] : ['']), ...values].map((value) =>
      element('option', { value }, [value]),
    );
    return /** @type {HTMLSelectElement} */ (element('select', {}, options));
  }
  const input = /** @type {HTMLInputElement} */ (
    element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' })
  );
  input.value = firstValue(operation, parameter);
  input.placeholder = parameter.example === undefined ? '' : `e.g. ${parameter.example}`;
  input.required = parameter.in === 'path';
  if (isRestaurant(parameter.name)) input.setAttribute('list', 'restaurants');
  return input;
}

/** The example of a body, for the dates of which there is data, and with the names of the credentials for their values.
 * @param {import('./call.js').Body} body
 */
function firstBody({ mediaType, text }) {
  if (mediaType === 'application/x-www-form-urlencoded')
    return 'grant_type=client_credentials&client_id=$CLIENT_ID&client_secret=$CLIENT_SECRET';
  return text
    .replace(/("(?:start|end)?businessDate": ?)("?)\d{8}"?/gi, (_all, name, quote) => name + quote + yesterday + quote)
    .replace(/("\w+Date": ?")\d{4}-\d\d-\d\d(?=T)/g, `$1${yesterday.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')}`)
    .replace(/("clientId": )"[^"]*"/, '$1"$$CLIENT_ID"')
    .replace(/("clientSecret": )"[^"]*"/, '$1"$$CLIENT_SECRET"')
    .replace(/("(?:restaurantIds|excludedRestaurantIds)": )\[[^\]]*\]/g, '$1[]');
}

/** The form of the GET that a Location leads to, and the values of its path.
 * @param {string} address
 */
function formOf(address) {
  const path = new URL(address, location.href).pathname;
  for (const form of forms) {
    if (form.operation.method !== 'GET') continue;
    /** @type {string[]} */
    const names = [];
    const pattern = form.operation.path.replace(/\{([^}]+)\}/g, (_all, name) => {
      names.push(name);
      return '([^/]+)';
    });
    const found = new RegExp(`^${pattern}$`).exec(path);
    if (found && names.length > 0)
      return { form, values: new Map(names.map((name, at) => [name, found[at + 1] ?? ''])) };
  }
  return undefined;
}

/** A button that retrieves the report that a call has created.
 * @param {Response} response
 */
function retrieval(response) {
  const address = response.headers.get('location');
  const next = address ? formOf(address) : undefined;
  if (!next) return undefined;
  // Whatever else can be done to it, too: its status, what changed, its events.
  for (const { inputs } of forms)
    for (const [{ in: place, name }, input] of inputs)
      if (place === 'path' && input.value === '') input.value = next.values.get(name) ?? '';
  const button = element('button', { type: 'button' }, ['Retrieve it']);
  button.addEventListener('click', () => {
    for (const [parameter, input] of next.form.inputs) {
      const value = next.values.get(parameter.name);
      if (parameter.in === 'path' && value !== undefined) input.value = value;
    }
    next.form.details.open = true;
    next.form.details.scrollIntoView({ block: 'start' });
    next.form.details.querySelector('form')?.requestSubmit();
    next.form.details.querySelector('summary')?.focus({ preventScroll: true });
  });
  return element('p', {}, [button]);
}

/**
 * @param {HTMLElement} place
 * @param {Operation} operation
 */
function buildForm(place, operation) {
  const title = place.closest('section')?.querySelector('h2')?.textContent ?? '';
  const inputs = new Map(operation.parameters.map((parameter) => [parameter, control(operation, parameter)]));
  const fields = [...inputs].map(([parameter, input]) =>
    field(parameter.name, input, { hint: `${parameter.in}${parameter.required ? ', required' : ''}` }),
  );
  const types = operation.bodies.map(({ mediaType }) => element('option', {}, [mediaType]));
  const mediaType = /** @type {HTMLSelectElement} */ (element('select', {}, types));
  const body = /** @type {HTMLTextAreaElement} */ (element('textarea', { spellcheck: 'false', rows: '10' }));
  const fill = () => {
    const chosen = operation.bodies[mediaType.selectedIndex];
    if (chosen) body.value = firstBody(chosen);
  };
  mediaType.addEventListener('change', fill);
  fill();
  if (operation.bodies.length > 1) fields.push(field('Type of the body', mediaType));
  const accepts = operation.accepts.map((type) => element('option', {}, [type]));
  const accept = /** @type {HTMLSelectElement} */ (element('select', {}, accepts));
  if (operation.accepts.length > 1) fields.push(field('Form of the answer', accept, { hint: 'Accept' }));
  if (operation.bodies.length > 0) fields.push(field('Body', body, { wide: true }));

  const answer = element('div', { class: 'answer' });
  const submit = /** @type {HTMLButtonElement} */ (element('button', { type: 'submit' }, ['Send']));
  const form = element('form', { 'aria-label': `Try: ${title}` }, [
    element('div', { class: 'fields' }, fields),
    submit,
  ]);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const values = new Map([...inputs].map(([parameter, input]) => [parameter, input.value.trim()]));
    const call = makeCall(operation, {
      parameters: values,
      mediaType: mediaType.value,
      body: body.value,
      accept: operation.accepts.length > 1 ? accept.value : '',
    });
    if (operation.changes && !window.confirm(question(operation, call))) {
      answer.replaceChildren(element('p', { class: 'note', role: 'status' }, ['Not sent: nothing was changed.']));
      return;
    }
    submit.disabled = true;
    const line = element('pre', { class: 'wrap', tabindex: '0', 'aria-label': 'The same with curl' }, [
      element('code', {}, [curlLine(call)]),
    ]);
    answer.replaceChildren(element('h3', {}, ['Request']), line, element('h3', {}, ['Answer']));
    if (operation.token && !session.token)
      answer.append(element('p', { class: 'note' }, ['Sent without a token: get one at the top of the page.']));
    try {
      const got = await send(call, session);
      await showAnswer(answer, got);
      const next = retrieval(got.response);
      if (next) answer.append(next);
    } catch (error) {
      answer.append(element('p', { role: 'alert' }, [`The service could not be reached: ${error}`]));
    } finally {
      submit.disabled = false;
    }
  });
  const summary = element('summary', {}, ['Try it']);
  const details = /** @type {HTMLDetailsElement} */ (element('details', {}, [summary, form, answer]));
  place.append(details);
  forms.push({ operation, details, inputs });
}

/** Offers the restaurants that the token sees where a form asks for one, and puts the first where it is only read. */
async function fillRestaurants() {
  const headers = { Authorization: `Bearer ${session.token}` };
  const response = await fetch(`${ROOT}v1/restaurants-information`, { headers, credentials: 'omit' });
  if (!response.ok) return;
  /** @type {{ restaurantGuid: string, restaurantName: string }[]} */
  const known = await response.json();
  const options = known.map((one) => element('option', { value: one.restaurantGuid }, [one.restaurantName]));
  restaurants.replaceChildren(...options);
  // In calls that write, the restaurant stays empty: the user chooses it.
  for (const { operation, inputs } of forms) {
    if (operation.changes) continue;
    for (const [{ in: place, name }, input] of inputs)
      if (place === 'path' && isRestaurant(name) && input.value === '') input.value = known[0]?.restaurantGuid ?? '';
  }
}

function buildCredentials() {
  const id = /** @type {HTMLInputElement} */ (
    element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', required: '' })
  );
  const secret = /** @type {HTMLInputElement} */ (
    element('input', { type: 'password', autocomplete: 'off', required: '' })
  );
  const told = element('span', { role: 'status' });
  const form = element('form', { 'aria-labelledby': 'credentials-title' }, [
    element('div', { class: 'fields' }, [field('Client id', id), field('Client secret', secret)]),
    element('div', { class: 'row' }, [element('button', { type: 'submit' }, ['Get a token']), told]),
  ]);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id.value,
      client_secret: secret.value,
    });
    try {
      const response = await fetch(`${ROOT}oauth/token`, {
        method: 'POST',
        body,
        cache: 'no-store',
        credentials: 'omit',
      });
      const answer = await response.json();
      if (!response.ok) {
        told.textContent = `Refused: ${answer.error_description ?? answer.error ?? response.status}`;
        return;
      }
      Object.assign(session, { clientId: id.value, clientSecret: secret.value, token: answer.access_token });
      told.textContent = `A token for ${answer.scope}, for ${Math.round(answer.expires_in / 60)} minutes.`;
      await fillRestaurants();
    } catch (error) {
      told.textContent = `The service could not be reached: ${error}`;
    }
  });
  credentials.className = 'panel';
  credentials.append(
    element('h2', { id: 'credentials-title' }, ['Try it']),
    element('p', { class: 'muted' }, [
      'Credentials and token stay in the memory of this page: nothing is stored, and leaving the page forgets them. The demo prints its own.',
    ]),
    form,
  );
}

buildCredentials();
for (const [place, operation] of places) buildForm(place, operation);
