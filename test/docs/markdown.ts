// Reads the parts of a Markdown page that tests look at: headings, sections, tables, links, code blocks.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../../web/docs/guideLinks.ts';

export const root = join(import.meta.dirname, '../..');

export type Page = { readonly path: string; readonly text: string };
export type Block = { readonly language: string; readonly text: string };

/** Paths are relative to the root of the project. */
export function loadPages(...patterns: readonly string[]): Page[] {
  const paths = globSync(patterns, { cwd: root }).sort();
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function readHeadings({ text }: Page, level: number): string[] {
  const mark = `${'#'.repeat(level)} `;
  const headings = readProse(text).split('\n');
  return headings.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
}

/** What stands between a heading of level two and the next one. */
export function readSection({ text }: Page, heading: string): string {
  const [, after = ''] = text.split(`\n## ${heading}\n`);
  return after.split('\n## ')[0] as string;
}

/** The cells of each table, row by row; the line under the head is left out. */
export function readTables(text: string): string[][][] {
  const tables: string[][][] = [];
  let previous = '';
  for (const line of readProse(text).split('\n')) {
    if (line.startsWith('|')) {
      if (!previous.startsWith('|')) tables.push([]);
      tables.at(-1)?.push(splitRow(line));
    }
    previous = line;
  }
  return tables.map(([head, , ...rows]) => [head as string[], ...rows]);
}

export function readBlocks({ text }: Page): Block[] {
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(([, , language = '', block = '']) => ({
    language,
    text: block,
  }));
}

export type Link = { readonly text: string; readonly target: string };

export function readLinks({ text }: Page): Link[] {
  return [...readProse(text).matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, label = '', target = '']) => ({
    text: label,
    target,
  }));
}

/** What stands between backticks, outside of code blocks. */
export function readCode({ text }: Page): string[] {
  return [...readProse(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** The anchors that GitHub gives to the headings of a page, and those that the page sets itself. */
export function readAnchors(page: Page): Set<string> {
  const headings = [1, 2, 3, 4].flatMap((level) => readHeadings(page, level));
  const slugs = headings.map(slugOf);
  const own = [...page.text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...slugs, ...own]);
}

function readProse(text: string): string {
  return text.replaceAll(/^( *)```.*?^\1```$/gms, '');
}

function splitRow(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/);
  return cells.slice(1, -1).map((cell) => cell.trim());
}
