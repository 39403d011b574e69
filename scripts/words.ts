// `npm run words [-- <folder or file>...]`: finds words that the plain-English rule of docs/contributing.md replaces.
//
// Whole lines are searched: comments, messages, test names, identifiers and documentation.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.ts';

export type Finding = {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly instead: string;
};

/** Places to search, each reported and enforced as one. */
export const areas = [
  'README.md',
  'bench',
  'contracts/src',
  'docs',
  'hosting',
  'scripts',
  'sdk',
  'service',
  'soak',
  'test',
  'web',
] as const;
export type Area = (typeof areas)[number];

const searched = /\.(ts|tsx|mjs|css|html|md|sol|yaml|yml)$/;
/** Generated files, pages that repeat texts of the code word for word, and the lists of these words. */
const skipped =
  /^(docs\/(mutants|licences|contributing|commands|configuration|errors)\.md|docs\/schemas\/|test\/fixtures\/|scripts\/words\.ts)/;

const replacements: readonly (readonly [pattern: string, instead: string])[] = [
  ['mend(s|ed|ing)?', 'fix, repair; for a user: what to do'],
  ['anew', 'again'],
  ['who(m|so)?ever', 'anyone who, the caller'],
  ['(for|to|of|by) who(?= (wants?|has|is|does|reads?|runs?|needs?|asks?))', 'for users who'],
  ['(?<!(by|changes) )hand(s|ed|ing)? (over|in|on|out)', 'send, submit, pass'],
  ['hand(s|ed|ing)? (it|them|this) (to|over)', 'send, pass'],
  ['(broken|breaks?|broke) off', 'cancelled, interrupted'],
  ['(is|are|was|were|be|been|being|gets?) told', 'receives, is notified; or name who reports'],
  ['tells?', 'returns, reports, logs, says'],
  ['deeds?', 'action, event, step'],
  ['by (itself|himself|themselves)', 'automatically; or leave it out'],
  [
    'of (its|their|his) own(?= *([.,;:)]|$|(and|at|in|on|for|with|that|which)\\b))',
    'its own …, separate; or leave it out',
  ],
  ['(at all)', 'leave it out'],
  ['the very', 'leave it out'],
  ['dear', 'too expensive'],
  ['crowds?', 'many requests, many tasks'],
  ['strangers?', 'unknown senders, other users'],
  ['bells?', 'notification'],
  ['gather(s|ed|ing)?', 'batch, collect'],
  ['patience', 'backoff, time limit'],
  ['doubts?', 'name the uncertainty'],
  ['which it does', 'say it directly'],
  ['what is not among', 'say what it is'],
  ['lest', 'so that … not'],
];

/** Lines where a listed word has its usual meaning: the file and a part of the line. */
const allowed: readonly (readonly [file: string, part: string])[] = [
  ['docs/operations/hand-over-ownership.md', '# Hand over ownership'],
];

/** A word in quotes is a name or a value of the program, such as the refusal `stranger`; a call is an identifier. */
const isProgram = (text: string, start: number, length: number): boolean =>
  text[start + length] === '(' ||
  (/[`'"]/.test(text[start - 1] ?? '') && text[start - 1] === text[start + length]);

const patterns = replacements.map(
  ([pattern, instead]) => [new RegExp(`\\b(${pattern})\\b`, 'gi'), instead] as const,
);

export function findWords(area: string): Finding[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', area], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.split('\n').filter((file) => searched.test(file) && !skipped.test(file));
  return files.flatMap((file) => searchFile(file));
}

function searchFile(file: string): Finding[] {
  const lines = readFileSync(join(root, file), { encoding: 'utf8', flag: 'r' }).split('\n');
  return lines.flatMap((text, index) => {
    if (allowed.some(([where, part]) => where === file && text.includes(part))) return [];
    return patterns.flatMap(([pattern, instead]) =>
      [...text.matchAll(pattern)]
        .filter(({ index: start, 0: found }) => !isProgram(text, start, found.length))
        .map(([found]) => ({ file, line: index + 1, found, instead })),
    );
  });
}

function report(names: readonly string[]): void {
  for (const name of names) {
    const findings = findWords(name);
    for (const { file, line, found, instead } of findings)
      console.log(`${file}:${line}: "${found}" (instead: ${instead})`);
    console.error(`${name}: ${findings.length}`);
  }
}

if (import.meta.main) report(process.argv.length > 2 ? process.argv.slice(2) : areas);
