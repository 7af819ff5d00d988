/** Fields for what a point of sale is read with, and what is wrong with one, below it. */
import { type ConnectionReach, DaypartError, InvalidRequestError } from '@daypart/client';
import { useId } from 'preact/hooks';
import { SignInError } from '../../data/session.ts';

/** The kind of point of sale whose fields these are; an operator may have added others. */
export const KIND = 'toast';

/** What was refused, in the words of the service; `field` is empty if it is of no field. */
export interface FieldFault {
  field: string;
  message: string;
}

/** The fields that codes are about, as the service names them in its bodies. */
const FIELD_OF_CODE: Record<string, string> = {
  credentials_refused: 'clientSecret',
  upstream_unreachable: 'url',
  upstream_error: 'url',
  upstream_changed: 'url',
  restaurant_unknown: 'restaurantGuid',
  restaurant_is_connected: 'restaurants',
  restaurant_guid_taken: 'restaurants',
  restaurant_has_imports: 'from',
};

/** Fields that show what is wrong with them; everything else is said of the whole step. */
const SHOWN_FIELDS = new Set([...Object.values(FIELD_OF_CODE), 'clientId', 'name', 'to']);

/** The refusal of an error; undefined if the session has expired, which a dialog says. */
export function faultOf(error: unknown): FieldFault | undefined {
  if (error instanceof SignInError) return undefined;
  const message = error instanceof Error ? error.message : String(error);
  const [first] = error instanceof InvalidRequestError ? error.errors : [];
  const named = first?.pointer.split('/').find((part) => part !== '' && part !== 'credentials');
  if (first && named && SHOWN_FIELDS.has(named)) return { field: named, message: first.message };
  return { field: FIELD_OF_CODE[(error instanceof DaypartError && error.code) || ''] ?? '', message };
}

/** The refusal of a check, which is an answer. */
export const faultOfCheck = ({ code, message }: Extract<ConnectionReach, { ok: false }>): FieldFault => ({
  field: FIELD_OF_CODE[code] ?? '',
  message,
});

/** What is wrong with the field, or with the whole step (an empty name). */
export const Wrong = ({ of, refusal, id }: { of: string; refusal: FieldFault | undefined; id?: string }) =>
  refusal?.field === of ? (
    <p class="wrong" role="alert" id={id}>
      {refusal.message}
    </p>
  ) : null;

interface FieldProps {
  name: string;
  title: string;
  type?: 'date' | 'password' | 'text' | 'url';
  autocomplete?: 'new-password' | 'off';
  required?: boolean;
  maxLength?: number;
  placeholder?: string;
  hint?: string;
  refusal: FieldFault | undefined;
}

export function Field({ name, title, type = 'text', autocomplete = 'off', hint, refusal, ...input }: FieldProps) {
  const id = useId();
  const isWrong = refusal?.field === name;
  return (
    <div class="stack">
      <label class="field">
        <span>{title}</span>
        <input
          name={name}
          // Preact's types have one for each type of input.
          type={type as 'text'}
          autocomplete={autocomplete}
          spellcheck={false}
          autocapitalize="none"
          aria-invalid={isWrong}
          aria-describedby={isWrong ? id : undefined}
          {...input}
        />
        {hint && <small>{hint}</small>}
      </label>
      <Wrong of={name} refusal={refusal} id={id} />
    </div>
  );
}

/** Client id and secret. No browser offers those of this service, or stores them for it. */
export const CredentialFields = ({ refusal }: { refusal: FieldFault | undefined }) => (
  <>
    <Field name="clientId" title="Client id" required maxLength={4096} refusal={refusal} />
    <Field
      name="clientSecret"
      title="Client secret"
      type="password"
      autocomplete="new-password"
      required
      maxLength={4096}
      refusal={refusal}
    />
  </>
);

/** The text of a field of a form. */
export const formText = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** `95 s`, `12 min`, `3 h`. */
export function saySeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** What connections are until an owner has compared a week with the point of sale. */
export const Preview = () => (
  <p class="note">
    Preview: written from public documentation, and not tried with a real account yet. Compare a week with the point of
    sale before you rely on the figures. <a href="/docs/connections">How connections work</a>
  </p>
);
