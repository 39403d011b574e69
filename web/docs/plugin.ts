// Builds docs/ into pages: each guide in the frame of web/docs.html, beside the files that guides show or link to.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { renderContents } from './contents.ts';
import { escapeHtml } from './escape.ts';
import { builtFileOf } from './place.ts';
import { type Guide, renderGuide } from './render.ts';

const folder = join(import.meta.dirname, '../../docs');
const template = 'docs.html';

export function docsPages(): Plugin {
  return {
    name: 'docs-pages',
    generateBundle: {
      // After Vite has put the hashed names of script and style into the frame.
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
  const surroundings = { isServed: (file: string) => served.has(file), sizeOf };
  const guides = new Map(
    guideFiles.map((file) => [file, renderGuide(file, read(file).toString(), surroundings)]),
  );
  return [
    ...guideFiles.map((file) => ({ fileName: builtFileOf(file), source: fillFrame(frame, file, guides) })),
    ...shownFiles.map((file) => ({ fileName: `docs/${file}`, source: read(file) })),
  ];
}

function fillFrame(frame: string, file: string, guides: ReadonlyMap<string, Guide>): string {
  const { title, summary, html } = guides.get(file) as Guide;
  const parts: Readonly<Record<string, string>> = {
    '<!--title-->': escapeHtml(title),
    '<!--summary-->': escapeHtml(summary),
    '<!--contents-->': renderContents(file, guides),
    '<!--guide-->': html,
  };
  // A function, since a dollar sign in a guide means itself.
  return Object.entries(parts).reduce((page, [mark, part]) => page.replaceAll(mark, () => part), frame);
}

function listFiles(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: folder }).sort();
}

/** A PNG tells it in its first chunk. */
function sizeOf(file: string) {
  const png = read(file);
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

const read = (file: string) => readFileSync(join(folder, file));
