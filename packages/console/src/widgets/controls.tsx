/** Small controls that every screen uses. */
import { Icon } from './icon.tsx';

export interface Option<T extends string> {
  value: T;
  label: string;
}

/** A row of choices, one of which is selected. */
export function Segments<T extends string>(props: {
  label: string;
  options: readonly Option<T>[];
  value: T;
  onChange: (value: T) => void;
  small?: boolean;
}) {
  const { label, options, value, onChange, small = false } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a flex box in every browser
    <div role="group" class={small ? 'segments small' : 'segments'} aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

/** A list of choices, as the browser shows it. */
export function Select<T extends string>(props: {
  label: string;
  before?: string;
  options: readonly Option<T>[];
  value: T;
  onChange: (value: T) => void;
}) {
  const { label, before, options, value, onChange } = props;
  return (
    <span class="select">
      {before && (
        <span class="before" aria-hidden="true">
          {before}
        </span>
      )}
      <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="open" />
    </span>
  );
}
