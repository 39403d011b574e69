// Builds the tables of documentation pages that follow from source files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessages, findStatus, isErrorCode } from '#sdk/domain/errors.ts';
import { readSettings } from '#service/config.ts';
import { operatorErrors } from '#service/errors/operatorCodes.ts';
import { buildOperationPages } from './operationPages.ts';
import { root } from './tools.ts';

/** The pages with their tables filled, by path. */
export function buildTables(): ReadonlyMap<string, string> {
  return new Map([
    fillTable('docs/configuration.md', ['variable', 'default', 'meaning'], listVariables()),
    fillTable('docs/errors.md', ['code', 'status', 'message', 'when', 'what to do'], listErrors()),
    ...buildOperationPages(),
  ]);
}

function listErrors(): string[][] {
  const files = [
    'sdk/src/domain/errors.ts',
    'sdk/src/domain/routeErrors.ts',
    'service/src/errors/operatorCodes.ts',
  ];
  const notes = new Map(files.flatMap((file) => [...readNotes(file, /(\w+):/)]));
  const messages = Object.entries<string>({ ...errorMessages, ...operatorErrors });
  return messages
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([code, text]) => {
      const [when, fix] = notes.get(code)?.split(' → ') ?? [];
      if (when === undefined || fix === undefined)
        throw new Error(`${code} needs a comment above it: "when it happens → what to do".`);
      const status = isErrorCode(code) ? findStatus(code) : undefined;
      return [`\`${code}\``, String(status ?? ''), text.replaceAll('\n', ' '), when, fix];
    });
}

function listVariables(): string[][] {
  const notes = readNotes('service/src/config.ts', /\w+: \['(\w+)'/);
  return readSettings({}).map(({ name, value = [] }) => {
    const [, words, meaning] = notes.get(name)?.match(/^(?:\[(.+?)\] )?(.+)$/) ?? [];
    if (meaning === undefined) throw new Error(`${name} needs a comment above it that says what it means.`);
    const shown = [value].flat().map((part) => `\`${part}\``);
    return [`\`${name}\``, words ?? shown.join(', '), meaning];
  });
}

/** The line comments directly above each property of a source file, as one text, by the name that `property` captures. */
function readNotes(path: string, property: RegExp): ReadonlyMap<string, string> {
  const pattern = new RegExp(`((?:^ *// .*\\n)+) *${property.source}`, 'gm');
  const found = [...readFileSync(join(root, path), 'utf8').matchAll(pattern)];
  const toText = (comment: string) =>
    comment
      .replace(/^ *\/\/ /gm, '')
      .trim()
      .replaceAll('\n', ' ');
  return new Map(found.map(([, comment = '', name = '']) => [name, toText(comment)]));
}

/** Replaces the rows of the table that has this header. */
function fillTable(path: string, header: readonly string[], rows: readonly string[][]): [string, string] {
  const page = readFileSync(join(root, path), 'utf8');
  const show = (cells: readonly string[]) =>
    `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|\n`;
  const head = `${show(header)}|${'---|'.repeat(header.length)}\n`;
  const [before, after] = page.split(head);
  if (before === undefined || after === undefined)
    throw new Error(`${path} has no table with the header ${head}`);
  return [path, before + head + rows.map(show).join('') + after.replace(/^(\|.*\n)*/, '')];
}
