// Addresses of the guides: where a file of docs/ is served, what a link in it points to, how headings become anchors.
import { posix } from 'node:path';

/** `operations/README.md` is served at `/docs/operations`, other pages by name without the extension. */
export function urlOf(file: string): string {
  const path = file.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '');
  return path === '' ? '/docs' : `/docs/${path}`;
}

/** The output file of a page, relative to the build folder. */
export function builtFileOf(file: string): string {
  return `docs/${file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')}`;
}

/** The address that guides give for the pages. A reader of served guides may use another host, so links become relative. */
const localSite = 'http://localhost:4020';

/** Null for a file that is not served, such as a source file. */
export function resolveLink(
  from: string,
  target: string,
  isServed: (file: string) => boolean,
): string | null {
  if (target.startsWith(localSite)) return target.slice(localSite.length) || '/';
  if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target;
  const [path = '', anchor] = target.split('#');
  const file = posix.normalize(posix.join(posix.dirname(from), path));
  if (!isServed(file)) return null;
  return urlOf(file) + (anchor === undefined ? '' : `#${anchor}`);
}

/** The anchor of a heading in Markdown, spelled as GitHub does, so that one link works in both places. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
