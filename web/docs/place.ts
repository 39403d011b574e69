// Where a file of docs/ is served, and where a link between two of them leads.
import { posix } from 'node:path';

/** `operations/README.md` is served at `/docs/operations`; everything else by its name, pages without their ending. */
export function urlOf(file: string): string {
  const path = file.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '');
  return path === '' ? '/docs' : `/docs/${path}`;
}

/** The file that a page is built into, below the folder of all pages. */
export function builtFileOf(file: string): string {
  return `docs/${file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')}`;
}

/** Where guides say the pages are; a reader of served guides is there already, under whatever name. */
const startedAt = 'http://localhost:4020';

/** Null where the target is not served: a source file, which only a reader of the repository has. */
export function resolveLink(
  from: string,
  target: string,
  isServed: (file: string) => boolean,
): string | null {
  if (target.startsWith(startedAt)) return target.slice(startedAt.length) || '/';
  if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target;
  const [path = '', anchor] = target.split('#');
  const file = posix.normalize(posix.join(posix.dirname(from), path));
  if (!isServed(file)) return null;
  return urlOf(file) + (anchor === undefined ? '' : `#${anchor}`);
}
