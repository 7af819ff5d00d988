/** A form below the buttons of a card. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface FormProps {
  label: string;
  submit: string;
  onForm: (form: FormData) => Promise<void>;
  children: ComponentChildren;
}

export function SmallForm({ label, submit, onForm, children }: FormProps) {
  const [busy, setBusy] = useState(false);
  return (
    <form
      class="stack"
      style={{ width: 'min(100%, 420px)' }}
      aria-label={label}
      onSubmit={async (event) => {
        event.preventDefault();
        setBusy(true);
        await onForm(new FormData(event.currentTarget));
        setBusy(false);
      }}
    >
      {children}
      <div class="row">
        <button type="submit" class="button primary" disabled={busy}>
          {submit}
        </button>
      </div>
    </form>
  );
}
