// Secrets of this process: values that print as a placeholder, and the texts by which they are found in the words of others.

/** A value that is hidden wherever it is printed: in a log, in JSON, in an error. */
export type Secret = { readonly reveal: () => string; readonly toJSON: () => string };

export function createSecret(value: string, shown = '[redacted]'): Secret {
  const show = () => shown;
  rememberTraces(value);
  return Object.freeze({
    reveal: () => value,
    toJSON: show,
    toString: show,
    [Symbol.for('nodejs.util.inspect.custom')]: show,
  });
}

/** Texts that would reveal a secret of this process, anywhere. */
let traces: readonly string[] = [];
/** Passwords of addresses, however short or common. */
let passwords: readonly string[] = [];
/** Places where even a common word is a password: between `user:` and `@`, and after its name, as in `password=`. */
let passwordPlaces = /(?!)/g;

/** Removes every secret of this process from a text that others wrote: the error of a library may repeat an address with its key. */
export function redact(text: string): string {
  let clean = text;
  for (const trace of traces) if (clean.includes(trace)) clean = clean.replaceAll(trace, '[redacted]');
  return clean.replace(passwordPlaces, '[redacted]');
}

/** Shorter parts of an address are words, not keys. */
const shortestTrace = 8;

function rememberTraces(value: string): void {
  const parts = URL.canParse(value) ? listUrlTraces(new URL(value)) : [value.replace(/^0x/, '')];
  const forms = [value, ...parts].flatMap(listForms).filter((form) => form.length >= shortestTrace);
  traces = joinLongestFirst(traces, forms);
}

/** Longest first: otherwise the end of a longer secret would stay where a shorter one is its beginning. */
function joinLongestFirst(known: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...known, ...more])].sort((left, right) => right.length - left.length);
}

function listUrlTraces({ protocol, username, password, hostname, pathname, searchParams }: URL): string[] {
  const [user, secret] = [decode(username), decode(password)];
  if (password !== '') rememberPassword([password, ...listForms(secret)]);
  // Removing `postgres` as a password everywhere would make every line about the database unreadable.
  const words = ['postgres', 'postgresql', user, hostname, ...hostname.split('.'), pathname.slice(1)];
  const isNoWord = (part: string) => !words.includes(part.toLowerCase());
  return [
    Buffer.from(`${user}:${secret}`).toString('base64'),
    ...[password, secret, ...searchParams.values()].filter(isNoWord),
    // Providers put keys into user name and path; in the address of a database these are no secrets.
    ...(protocol.startsWith('http') ? [username, user, ...pathname.split('/')] : []),
  ];
}

function rememberPassword(forms: readonly string[]): void {
  passwords = joinLongestFirst(passwords, forms);
  const any = `(?:${passwords.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`;
  passwordPlaces = new RegExp(`(?<=:)${any}(?=@)|(?<=(?:password|passwd|pwd)\\W{1,6})${any}`, 'gi');
}

/** As it is, in an address, and in JSON. */
function listForms(text: string): string[] {
  return [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)];
}

/** A percent sign that encodes nothing stays, as database drivers do. */
function decode(part: string): string {
  return part.replace(/(%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
