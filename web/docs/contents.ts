// The side navigation of the guides: every guide in the group where a reader would look for it.
import { escapeHtml } from './escape.ts';
import { urlOf } from './place.ts';
import type { Guide } from './render.ts';

type Group = { readonly name: string; readonly files: readonly string[] };

/** What is not named here lies below a folder's own overview, as the pages of operations do. */
export const contents: readonly Group[] = [
  { name: 'Start', files: ['README.md', 'architecture.md', 'quick-start.md', 'in-the-browser.md'] },
  {
    name: 'Build',
    files: [
      'using-the-api.md',
      'agents.md',
      'negotiating.md',
      'contracts.md',
      'operations/README.md',
      'schemas/README.md',
    ],
  },
  {
    name: 'Run',
    files: [
      'operations-guide.md',
      'deploying.md',
      'configuration.md',
      'commands.md',
      'errors.md',
      'performance.md',
    ],
  },
  { name: 'Trust', files: ['security.md', 'decisions.md', 'licences.md'] },
  { name: 'Change', files: ['contributing.md'] },
];

/** The API reference is made by the server itself and has no file. */
const reference = '<li><a href="/docs/api">API reference</a></li>';

export function renderContents(current: string, guides: ReadonlyMap<string, Guide>): string {
  return contents
    .map(({ name, files }) => {
      const items = files.map((file) => renderItem(file, current, guides)).join('');
      return `<h2>${name}</h2><ul>${items}${name === 'Build' ? reference : ''}</ul>`;
    })
    .join('\n');
}

function renderItem(file: string, current: string, guides: ReadonlyMap<string, Guide>): string {
  const guide = guides.get(file);
  if (guide === undefined) throw new Error(`the contents name docs/${file}, which is not there`);
  const isCurrent = file === current;
  const mark = isCurrent ? ' aria-current="page"' : '';
  const inside = isCurrent ? `<ul>${guide.sections.map(renderSection).join('')}</ul>` : '';
  return `<li><a href="${urlOf(file)}"${mark}>${escapeHtml(guide.title)}</a>${inside}</li>`;
}

function renderSection({ anchor, title }: Guide['sections'][number]): string {
  return `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`;
}
