// SQL with its values in place. A value becomes a parameter of the statement; a fragment brings its own values.

export type Param = string | number | bigint | null | Uint8Array;

export type Sql = { readonly texts: readonly string[]; readonly params: readonly Param[] };

const isSql = (part: Param | Sql): part is Sql =>
  typeof part === 'object' && part !== null && 'texts' in part;

/** sql`SELECT * FROM tasks WHERE poster = ${poster} AND ${isOpen}` */
export function sql(strings: readonly string[], ...parts: readonly (Param | Sql)[]): Sql {
  const texts = [strings[0] ?? ''];
  const params: Param[] = [];
  for (const [at, part] of parts.entries()) {
    const { texts: own, params: values } = isSql(part) ? part : { texts: ['', ''], params: [part] };
    const [first, ...rest] = own;
    for (const text of [`${texts.pop()}${first}`, ...rest]) texts.push(text);
    for (const value of values) params.push(value);
    texts.push(`${texts.pop()}${strings[at + 1]}`);
  }
  return { texts, params };
}

/** Text without values, such as the names of columns. Never of a client. */
export function raw(text: string | number): Sql {
  return { texts: [String(text)], params: [] };
}

export function joinSql(parts: readonly (Param | Sql)[], separator: string): Sql {
  const between = parts.slice(1).map(() => separator);
  return parts.length === 0 ? raw('') : sql(['', ...between, ''], ...parts);
}

/** The text with numbered parameters, and their values. */
export function toStatement(given: string | Sql, params: readonly Param[]) {
  if (typeof given === 'string') return { text: given, params };
  return { text: given.texts.reduce((all, text, at) => `${all}$${at}${text}`), params: given.params };
}
