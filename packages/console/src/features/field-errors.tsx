/** The reasons why a form was refused, by field. */
import { DaypartError, InvalidRequestError } from '@daypart/client';
import { SignInError } from '../data/session.ts';

/** The problem of a form in words, with the names of its fields. */
export function FieldErrors({ error }: { error: unknown }) {
  // The dialog in which the person signs in again says that the session has expired.
  if (error === undefined || error instanceof SignInError) return null;
  const fields = error instanceof InvalidRequestError ? error.errors : [];
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div class="field" role="alert">
      <small class="wrong">{message}</small>
      {fields
        .filter((field) => field.message !== message)
        .map((field) => (
          <small class="wrong" key={field.pointer}>
            {field.pointer.replace(/^\//, '')}: {field.message}
          </small>
        ))}
      {error instanceof DaypartError && error.requestId && <small class="mono">{error.requestId}</small>}
    </div>
  );
}
