/** A field for one business date. */
import { useRef } from 'preact/hooks';
import { isoDate, readDate } from '../model/dates.ts';

interface DateFieldProps {
  label: string;
  /** YYYYMMDD. */
  date: string;
  /** Called with another date: at once when it was picked, after typing with Enter or when the field is left. */
  onDate: (date: string) => void;
  /** Whether a click anywhere on the field opens the browser's calendar. */
  opensPicker?: boolean;
}

/**
 * Keys that change a part of the date. Each may make a valid date that nobody means: of 11/10/2026, the first is in
 * January.
 */
const TYPING = /^(\d|Arrow(Up|Down)|Backspace|Delete)$/;

export function DateField({ label, date, onDate, opensPicker = false }: DateFieldProps) {
  const typing = useRef(false);
  const settle = (input: HTMLInputElement): void => {
    typing.current = false;
    const chosen = readDate(input.value);
    if (chosen && chosen !== date) onDate(chosen);
    else input.value = isoDate(date);
  };
  return (
    <input
      type="date"
      aria-label={label}
      value={isoDate(date)}
      onClick={(event) => {
        if (opensPicker) event.currentTarget.showPicker?.();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle(event.currentTarget);
        else if (TYPING.test(event.key) && !event.altKey) typing.current = true;
      }}
      onChange={(event) => {
        if (!typing.current) settle(event.currentTarget);
      }}
      onBlur={(event) => settle(event.currentTarget)}
    />
  );
}
