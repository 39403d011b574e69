// Buttons, and a row of them of which one is chosen.
import type { ButtonHTMLAttributes } from 'react';

/** `is` names its weight: the main way on, a risk, or plain text. */
export function Button({
  is,
  className,
  ...button
}: ButtonHTMLAttributes<HTMLButtonElement> & { is?: 'main' | 'risk' | 'plain' | undefined }) {
  return (
    <button
      type="button"
      className={className === undefined ? 'button' : `button ${className}`}
      data-is={is}
      {...button}
    />
  );
}

/** Chooses one of a few views; `labels` are their names by value. */
export function Switch<Value extends string>({
  labels,
  value,
  onChange,
}: {
  labels: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <div className="switch">
      {Object.entries<string>(labels).map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          onClick={() => onChange(name as Value)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
