// Buttons, and a row of them of which one is chosen.
import type { ButtonHTMLAttributes } from 'react';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** Its weight: the main way on, a risk, or plain text. */
  is?: 'main' | 'risk' | 'plain' | undefined;
  /** While it is busy it cannot be clicked, and shows `busyLabel`. */
  isBusy?: boolean;
  busyLabel?: string;
};

export function Button({ is, className, isBusy, busyLabel, disabled, children, ...button }: ButtonProps) {
  return (
    <button
      type="button"
      className={className === undefined ? 'button' : `button ${className}`}
      data-is={is}
      disabled={disabled === true || isBusy === true}
      {...button}
    >
      {isBusy === true ? (busyLabel ?? 'Confirm in your wallet…') : children}
    </button>
  );
}

type SwitchProps<Value extends string> = {
  /** Names by value. */
  labels: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
};

/** Chooses one of a few views. */
export function Switch<Value extends string>({ labels, value, onChange }: SwitchProps<Value>) {
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
