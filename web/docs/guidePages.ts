// Vite plugin that builds docs/ into pages: each guide inside web/docs.html, with the files that guides show or link to.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { GuideSection } from '../src/data/guideSearch.ts';
import { builtFileOf, urlOf } from './guideLinks.ts';
import { escapeHtml, type Guide, renderGuide, toPlain } from './renderGuide.ts';

const folder = join(import.meta.dirname, '../../docs');
const template = 'docs.html';

export function docsPages(): Plugin {
  return {
    name: 'docs-pages',
    generateBundle: {
      // After Vite has inserted the hashed names of script and style.
      order: 'post',
      handler(_, bundle) {
        const frame = bundle[template];
        if (frame?.type !== 'asset') throw new Error(`${template} was not built`);
        delete bundle[template];
        for (const { fileName, source } of buildDocs(String(frame.source)))
          this.emitFile({ type: 'asset', fileName, source });
      },
    },
  };
}

type Built = { readonly fileName: string; readonly source: string | Uint8Array };

function buildDocs(frame: string): Built[] {
  const guideFiles = listFiles('**/*.md');
  const shownFiles = listFiles('images/*.png', 'schemas/*.json');
  const served = new Set([...guideFiles, ...shownFiles]);
  const docsFolder = { isServed: (file: string) => served.has(file), sizeOf };
  const guides = new Map(
    guideFiles.map((file) => [file, renderGuide(file, read(file).toString(), docsFolder)]),
  );
  return [
    ...guideFiles.map((file) => ({ fileName: builtFileOf(file), source: fillFrame(frame, file, guides) })),
    // For models: each guide as it is written, and the guides of the first level as one text.
    ...[...guideFiles, ...shownFiles].map((file) => ({ fileName: `docs/${file}`, source: read(file) })),
    { fileName: 'llms-full.txt', source: joinGuides(guideFiles) },
    { fileName: 'docs/search.json', source: JSON.stringify(buildSearch(guides)) },
  ];
}

/** Without reports and lists that only the project's own engineers need. */
const leftOut = /\/|^(licences|mutants|soak-report|performance|contributing|specification)\.md$/;

function joinGuides(files: readonly string[]): string {
  const joined = files.filter((file) => !leftOut.test(file));
  return joined.map((file) => `<!-- docs/${file} -->\n\n${read(file)}`).join('\n\n');
}

/** What the search of the guides loads with the first letter. */
function buildSearch(guides: ReadonlyMap<string, Guide>): GuideSection[] {
  return [...guides].flatMap(([file, { title, html, sections }]) => {
    const [start = '', ...parts] = html.split(/(?=<h2 id=)/);
    return [
      { url: urlOf(file), guide: title, section: '', text: toPlain(start) },
      ...parts.map((part, index) => ({
        url: `${urlOf(file)}#${sections[index]?.anchor ?? ''}`,
        guide: title,
        section: sections[index]?.title ?? '',
        text: toPlain(part),
      })),
    ];
  });
}

function fillFrame(frame: string, file: string, guides: ReadonlyMap<string, Guide>): string {
  const { title, summary, html } = guides.get(file) as Guide;
  const parts: Readonly<Record<string, string>> = {
    '<!--title-->': escapeHtml(title),
    '<!--summary-->': escapeHtml(summary),
    '<!--contents-->': renderContents(file, guides),
    '<!--guide-->': html,
  };
  // A replacement function, because `$` is special in a replacement string.
  return Object.entries(parts).reduce((page, [mark, part]) => page.replaceAll(mark, () => part), frame);
}

function listFiles(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: folder }).sort();
}

/** Reads the size from the first chunk of a PNG. */
function sizeOf(file: string) {
  const png = read(file);
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

const read = (file: string) => readFileSync(join(folder, file));

// The side navigation.

type Group = { readonly name: string; readonly files: readonly string[] };

/** Guides in a subfolder are listed on the folder's own overview page. */
export const contents: readonly Group[] = [
  {
    name: 'Start',
    files: [
      'README.md',
      'architecture.md',
      'quick-start.md',
      'in-the-browser.md',
      'arbitrating.md',
      'notifications.md',
    ],
  },
  {
    name: 'Build',
    files: [
      'using-the-api.md',
      'agents.md',
      'policy.md',
      'sdk.md',
      'documents.md',
      'files.md',
      'webhooks.md',
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
      'price.md',
      'commands.md',
      'errors.md',
      'performance.md',
    ],
  },
  {
    name: 'Trust',
    files: ['specification.md', 'security.md', 'powers.md', 'decisions/README.md', 'licences.md'],
  },
  { name: 'Change', files: ['contributing.md'] },
];

/** The server renders the API reference; it has no file. */
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
  if (guide === undefined) throw new Error(`the contents list docs/${file}, which does not exist`);
  const isCurrent = file === current;
  const mark = isCurrent ? ' aria-current="page"' : '';
  const inside = isCurrent ? `<ul>${guide.sections.map(renderSection).join('')}</ul>` : '';
  return `<li><a href="${urlOf(file)}"${mark}>${escapeHtml(guide.title)}</a>${inside}</li>`;
}

function renderSection({ anchor, title }: Guide['sections'][number]): string {
  return `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`;
}
