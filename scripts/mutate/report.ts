// The result of a mutation run as a part of docs/mutants.md, and the mutants that may survive.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools.ts';
import type { Mutant } from './mutants.ts';
import type { TestResult } from './worker.ts';

export type Verdict = {
  readonly mutant: Mutant;
  readonly killer: TestResult | undefined;
  /** Why it may live. */
  readonly reason: string | undefined;
  readonly isTried: boolean;
};

const file = join(root, 'docs/mutants.md');
const opening = '<!-- mutants -->';
const closing = '<!-- /mutants -->';

export function isSurvivor({ killer, reason, isTried }: Verdict): boolean {
  return isTried && killer === undefined && reason === undefined;
}

/** Puts the block between its markers, or at the end of the file where there are none yet. */
export function saveReport(verdicts: readonly Verdict[]) {
  const block = `${opening}\n${buildReport(verdicts)}\n${closing}`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '# Mutations of the contracts\n';
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
  const next =
    start === -1 || end === -1
      ? `${text.trimEnd()}\n\n## Mutants\n\n${block}\n`
      : text.slice(0, start) + block + text.slice(end + closing.length);
  writeFileSync(file, next);
}

export function buildReport(verdicts: readonly Verdict[]): string {
  const contracts = [...new Set(verdicts.map(({ mutant }) => mutant.contract))];
  const killed = verdicts.filter(({ killer }) => killer !== undefined);
  const survivors = verdicts.filter(isSurvivor);
  const untried = verdicts.filter(({ isTried }) => !isTried);
  const kept = verdicts.length - killed.length - survivors.length - untried.length;
  const lines = [
    'Written by `npm run contracts:mutate`, which drops one guard, effect, call or event at a time, or changes one comparison or operator, and runs the tests.',
    `Of ${verdicts.length} mutants the tests kill ${killed.length}; ` +
      `${kept} change nothing that can be seen, ${survivors.length} survive, ${untried.length} were not run.`,
    '',
    '| contract | mutants | killed | without effect | survive | not run |',
    '|---|---|---|---|---|---|',
    ...contracts.map((contract) => summarize(contract, verdicts)),
  ];
  for (const contract of contracts) {
    const rows = verdicts.filter(({ mutant, isTried }) => mutant.contract === contract && isTried);
    if (rows.length === 0) continue;
    lines.push('', `<details><summary>${contract}: what was dropped, and the test that saw it</summary>`, '');
    lines.push('| function | dropped | result |', '|---|---|---|', ...rows.map(formatRow), '', '</details>');
  }
  return lines.join('\n');
}

function summarize(contract: string, verdicts: readonly Verdict[]): string {
  const own = verdicts.filter(({ mutant }) => mutant.contract === contract);
  const killed = own.filter(({ killer }) => killer !== undefined).length;
  const survivors = own.filter(isSurvivor).length;
  const untried = own.filter(({ isTried }) => !isTried).length;
  const kept = own.length - killed - survivors - untried;
  const cells = [contract, own.length, killed, kept, survivors, untried];
  return `| ${cells.join(' | ')} |`;
}

function formatRow({ mutant, killer, reason }: Verdict): string {
  const result = killer === undefined ? (reason ?? '**survives**') : formatTest(killer);
  return `| ${mutant.where} | ${mutant.kind}: ${quote(mutant.text)} | ${result} |`;
}

export function formatTest({ file: path, test }: TestResult): string {
  return `${path.replace(/^test\/|\.t\.sol$/g, '')}: ${test}`;
}

function quote(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 97)}...` : text;
  return `\`${short.replaceAll('|', '\\|')}\``;
}

type Accepted = Pick<Mutant, 'contract' | 'where' | 'text'> & { readonly reason: string };

/** Mutants that no test can kill because they change nothing that anyone can see, each with the reason. */
const accepted: readonly Accepted[] = [
  {
    contract: 'TaskBook',
    where: '_relistOrCancel',
    text: 'task.claimedDeadline = 0',
    reason:
      'nothing reads it while the task has no worker, and a claim writes it again; zeroing the slot saves gas',
  },
];

export function reasonToAccept({ contract, where, text }: Mutant): string | undefined {
  return accepted.find((one) => one.contract === contract && one.where === where && one.text === text)
    ?.reason;
}
