// The names that documents use: their states, what a hash covers, and clean file names. Free of libraries, so that reading
// the API needs none.

/** How a document stands to the hash on chain; the schema of the API says what each one means. */
export const documentStates = [
  'verified',
  'mismatch',
  'malformed',
  'unavailable',
  'withheld',
  'foreign',
] as const;
export type DocumentState = (typeof documentStates)[number];

/** What the criteriaHash of a task covers: all words of its document, the criteria alone, or neither. */
export const bindings = ['document', 'criteria', 'none'] as const;
export type Binding = (typeof bindings)[number];

/** Of files that are often delivered. Nothing depends on it: pages look at the bytes. */
const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  zip: 'application/zip',
};

/** By the end of a file name; undefined for one that is not known. */
export function findMediaType(name: string): string | undefined {
  return mediaTypes[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];
}

const maxFileName = 200;

/** The last part of a path, without characters that could change how it is shown; "file" where nothing is left. */
export function cleanFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  const plain = base.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim();
  const short = Array.from(plain).slice(0, maxFileName).join('').trim();
  return short === '' || short === '.' || short === '..' ? 'file' : short;
}
