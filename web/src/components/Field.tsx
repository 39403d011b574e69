// A labelled field with a note beneath it, and with what is wrong with it.
import { type ReactNode, useId } from 'react';

type ControlProps = {
  readonly id: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby': string;
};

export function Field({
  label,
  note,
  fault,
  children,
}: {
  readonly label: string;
  readonly note?: string;
  readonly fault?: string | undefined;
  readonly children: (props: ControlProps) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        <b>{label}</b>
      </label>
      {children({
        id,
        'aria-describedby': `${id}-note`,
        ...(fault !== undefined && { 'aria-invalid': true }),
      })}
      <span id={`${id}-note`}>
        {note}
        {fault !== undefined && <span className="fault"> {fault}</span>}
      </span>
    </div>
  );
}

export function TextField({
  label,
  note,
  value,
  onChange,
}: {
  readonly label: string;
  readonly note?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <Field label={label} {...(note !== undefined && { note })}>
      {(props) => (
        <textarea {...props} rows={3} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
