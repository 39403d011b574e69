// Form fields: each has a label, a note below it and, once it was left, an error message.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';

type FieldProps = {
  readonly label: string;
  readonly note?: ReactNode;
  readonly error?: string | undefined;
  /** What it holds can come from a link: its error is shown at once. */
  readonly isEager?: boolean | undefined;
};

/** Longer than a click: an error that appears must not move the button that is being pressed. */
const clickMs = 250;

type ControlProps = {
  readonly id: string;
  readonly onBlur: () => void;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby': string;
};

export function Field({
  label,
  note,
  error: found,
  isEager = false,
  children,
}: FieldProps & { children: (props: ControlProps) => ReactNode }) {
  const id = useId();
  const [isShown, setShown] = useState(isEager);
  const error = isShown ? found : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>
        <b>{label}</b>
      </label>
      {children({
        id,
        onBlur: () => setTimeout(setShown, clickMs, true),
        'aria-describedby': `${id}-note`,
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      <span id={`${id}-note`}>
        {note}
        {error !== undefined && <span className="error"> {error}</span>}
      </span>
    </div>
  );
}

type TextProps = FieldProps & { readonly value: string; readonly onChange: (value: string) => void };

export function TextField({
  label,
  note,
  error,
  isEager,
  onChange,
  ...input
}: TextProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'>) {
  return (
    <Field label={label} note={note} error={error} isEager={isEager}>
      {(props) => <input {...props} {...input} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

/** For amounts and shares: phones show a keyboard of digits. */
export function NumberField(props: TextProps) {
  return <TextField inputMode="decimal" {...props} />;
}

export function TextArea({
  label,
  note,
  error,
  isEager,
  onChange,
  rows = 3,
  ...textarea
}: TextProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'>) {
  return (
    <Field label={label} note={note} error={error} isEager={isEager}>
      {(props) => (
        <textarea {...props} rows={rows} {...textarea} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

type ChoiceProps<Value extends string> = FieldProps & {
  labels: Readonly<Record<Value, string>> | readonly (readonly [Value, string])[];
  value: Value;
  onChange: (value: Value) => void;
};

/** Chooses one of a few values; `labels` are their names by value, or entries where values are digits. */
export function Choice<Value extends string>({ labels, value, onChange, ...field }: ChoiceProps<Value>) {
  return (
    <Field {...field}>
      {(props) => (
        <select {...props} value={value} onChange={({ target }) => onChange(target.value as Value)}>
          {(Array.isArray(labels) ? labels : Object.entries(labels)).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
