// What forms are made of: buttons, fields, dialogs, and what went wrong.
import { maxInlineBytes } from '@svc/sdk/internal/domain/document';
import { Check, X } from 'lucide-react';
import {
  type ButtonHTMLAttributes,
  type InputHTMLAttributes,
  type ReactNode,
  type RefObject,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** Its weight: the main way on, a risk, or plain text. */
  is?: 'main' | 'risk' | 'plain' | undefined;
  /** While it is busy a click does nothing, and it shows `busyLabel`. It keeps the focus, which a disabled button would lose. */
  isBusy?: boolean;
  busyLabel?: string | undefined;
  /** What a click starts; the button is busy until it ends. */
  run?: { readonly isBusy: boolean; readonly start: () => unknown };
};

export function Button(props: ButtonProps) {
  const {
    is,
    className,
    run,
    isBusy = run?.isBusy === true,
    busyLabel,
    onClick = run && (() => void run.start()),
    children,
    ...given
  } = props;
  return (
    <button
      type="button"
      className={className === undefined ? 'button' : `button ${className}`}
      data-is={is}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      {...given}
    >
      {isBusy ? (busyLabel ?? 'Confirm in your wallet…') : children}
    </button>
  );
}

type FormProps = { id?: string; className?: string; onSubmit?: () => void; children: ReactNode };

/** Its button of type `submit`, and the Enter key in a field, submit it. */
export function Form({ id, className = 'stack', onSubmit, children }: FormProps) {
  return (
    <form
      id={id}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.();
      }}
    >
      {children}
    </form>
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

type FailureProps = { text: ReactNode | null; className?: string; children?: ReactNode };

/** What went wrong, or nothing; `children` say or do what helps. `className` is `error` inside another notice. */
export function Failure({ text, className = 'notice', children }: FailureProps) {
  if (text === null) return null;
  return (
    <div className={className} data-is={className === 'notice' ? 'risk' : undefined} role="alert">
      <p>{text}</p>
      {children}
    </div>
  );
}

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

type LabelledProps = FieldProps & { readonly children: (props: ControlProps) => ReactNode };

export function Field({ label, note, error: found, isEager = false, children }: LabelledProps) {
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

type InputProps = TextProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'>;

export function TextField({ label, note, error, isEager, onChange, ...input }: InputProps) {
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

type AreaProps = TextProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'>;

export function TextArea({ label, note, error, isEager, onChange, ...area }: AreaProps) {
  return (
    <Field label={label} note={note} error={error} isEager={isEager}>
      {(props) => (
        <textarea {...props} rows={3} {...area} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

/** How much of the room on chain the words of a form take. */
export function ChainRoom({ bytes }: { bytes: number | null }) {
  if (bytes === null) return null;
  const [taken, room] = [bytes, maxInlineBytes].map((count) => count.toLocaleString('en-US'));
  return (
    <span className="small soft" data-tone={bytes > maxInlineBytes ? 'risk' : undefined} aria-live="off">
      {taken} of {room} bytes on chain
    </span>
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

type OptionsProps<Value extends string> = {
  label: string;
  note?: ReactNode;
  error?: string | undefined;
  labels: readonly (readonly [Value, string])[];
  value: Value;
  onChange: (value: Value) => void;
  /** What an option needs besides. */
  children?: ReactNode;
};

/** A choice of which all are in sight. */
export function Options<Value extends string>(props: OptionsProps<Value>) {
  const { label, note, error, labels, value, onChange, children } = props;
  const name = useId();
  return (
    <fieldset className="field" aria-describedby={`${name}-note`}>
      <legend>
        <b>{label}</b>
      </legend>
      <div className="options">
        {labels.map(([option, text]) => (
          <label key={option}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
            <span>
              <Check className="s" />
              {text}
            </span>
          </label>
        ))}
      </div>
      {children}
      <span id={`${name}-note`}>
        {note}
        {error !== undefined && <span className="error"> {error}</span>}
      </span>
    </fieldset>
  );
}

type DialogProps = {
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  opensAtOnce?: boolean;
  /** Of something to sign: its title stands small above the amount. */
  isSheet?: boolean;
  onClose?: () => void;
  children: ReactNode;
};

export function Dialog(props: DialogProps) {
  const { ref, title, opensAtOnce = false, isSheet = false, onClose, children } = props;
  const titleId = useId();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!opensAtOnce || ref.current?.open !== false) return;
    place.current = document.activeElement?.closest<HTMLElement>('[tabindex="-1"]') ?? null;
    ref.current.showModal();
  }, [opensAtOnce, ref]);
  const close = () => {
    // The button that opened it is gone where its step is done: the reader goes on beside it.
    const focused = document.activeElement;
    if (focused === document.body || ref.current?.contains(focused)) {
      const { current: from } = place;
      // What it did may have put another part in the place of the one it was opened from.
      const to = from?.isConnected === false ? document.getElementById(from.id) : from;
      to?.focus({ preventScroll: true });
    }
    onClose?.();
  };
  return (
    <dialog ref={ref} className={isSheet ? 'signing' : undefined} aria-labelledby={titleId} onClose={close}>
      <div className="head">
        <h2 id={titleId}>{title}</h2>
        <CloseButton label="Close" onClick={() => ref.current?.close()} />
      </div>
      <div className="stack inside">{children}</div>
    </dialog>
  );
}

export function CloseButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="icon" aria-label={label} onClick={onClick}>
      <X />
    </button>
  );
}
