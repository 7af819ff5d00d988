/** A button for an action that cannot be undone: it asks for confirmation first. */
import { useState } from 'preact/hooks';

interface ConfirmProps {
  label: string;
  /** The text of the second button, with the name of what is deleted. */
  confirm: string;
  onConfirm: () => Promise<void> | void;
}

export function ConfirmButton({ label, confirm, onConfirm }: ConfirmProps) {
  const [asking, setAsking] = useState(false);
  if (!asking)
    return (
      <button type="button" class="button small danger" onClick={() => setAsking(true)}>
        {label}
      </button>
    );
  const act = async (): Promise<void> => {
    await onConfirm();
    setAsking(false);
  };
  return (
    <span class="row nowrap">
      <button type="button" class="button small danger" ref={(element) => element?.focus()} onClick={() => void act()}>
        {confirm}
      </button>
      <button type="button" class="button small" onClick={() => setAsking(false)}>
        Keep
      </button>
    </span>
  );
}
