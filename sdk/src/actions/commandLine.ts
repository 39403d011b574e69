// Arguments as a command line: what a user may copy.

/** camelCase of JSON, kebab-case of flags. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function buildCommand(action: string, args: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(args).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [flagOf(name)];
    return [flagOf(name), quote(typeof value === 'object' ? JSON.stringify(value) : String(value))];
  });
  return ['svc prepare', action, ...parts].join(' ');
}

/** For a POSIX shell. */
function quote(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
