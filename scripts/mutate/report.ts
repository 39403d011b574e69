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

const sameAtEqual = 'where both sides are equal, both results are the same';
const noneFit = 'where nothing is left, the page is empty either way';

/** Mutants that no test can kill because they change nothing that anyone can see, each with the reason. */
const accepted: readonly Accepted[] = [
  {
    contract: 'TaskBook',
    where: '_relistOrCancel',
    text: 'task.claimedDeadline = 0',
    reason:
      'nothing reads it while the task has no worker, and a claim writes it again; zeroing the slot saves gas',
  },
  {
    contract: 'TaskBook',
    where: '_relistOrCancel',
    text: 'task.claimedDay = 0',
    reason: 'as for `claimedDeadline`',
  },
  { contract: 'DepositVault', where: 'withdraw', text: 'account.locked > _entry', reason: sameAtEqual },
  { contract: 'DepositVault', where: 'withdraw', text: 'account.balance > kept', reason: sameAtEqual },
  { contract: 'DisputeCourt', where: 'open', text: 'reviewPeriod > ANSWER_WINDOW', reason: sameAtEqual },
  { contract: 'DisputeCourt', where: 'arbitrators', text: 'count < total - from', reason: sameAtEqual },
  { contract: 'DisputeCourt', where: 'arbitrators', text: 'from >= total', reason: noneFit },
  {
    contract: 'DisputeCourt',
    where: 'resolveTimedOut',
    text: '_payBonds(taskId, dispute, address(0), 0, 0)',
    reason: 'it swaps a zero with a zero',
  },
  { contract: 'MarketLens', where: 'getTasks', text: 'count < total - first + 1', reason: sameAtEqual },
  { contract: 'MarketLens', where: 'latestTasks', text: 'want < cursor - lowest', reason: sameAtEqual },
  {
    contract: 'MarketLens',
    where: 'latestTasks',
    text: 'cursor - lowest',
    reason: 'the array gets more room, and is cut to what was found',
  },
  { contract: 'PostedPriceFeed', where: '_checkStep', text: 'newAnswer > answer', reason: sameAtEqual },
  { contract: 'ReputationRegistry', where: 'agents', text: 'count < total - from', reason: sameAtEqual },
  { contract: 'ReputationRegistry', where: 'agents', text: 'from >= total', reason: noneFit },
  {
    contract: 'StakingVault',
    where: 'consumeCredits',
    text: 'staker.credits < amount',
    reason: 'credits that are just enough accrue now instead of later; their sum is the same',
  },
  { contract: 'StakingVault', where: '_accrual', text: 'elapsed < DRIP', reason: sameAtEqual },
  { contract: 'StakingVault', where: '_accrual', text: 'rate < creditRate', reason: sameAtEqual },
  { contract: 'StakingVault', where: '_accrual', text: 'issued < remaining', reason: sameAtEqual },
  {
    contract: 'TaskRegistry',
    where: 'startWork',
    text: 'funded - released',
    reason: 'only a task that was fully funded has released anything, so it is 0 where this error is raised',
  },
  {
    contract: 'TaskRegistry',
    where: 'startWork',
    text: 'task.totalAmount - released',
    reason: 'as for `funded - released`',
  },
  {
    contract: 'TaskRegistry',
    where: 'extendDeadline',
    text: 'state >= State.POSTED',
    reason: 'a task that does not exist has no poster, so nobody gets this far',
  },
  {
    contract: 'TaskRegistry',
    where: 'leaveTask',
    text: 'state >= State.CLAIMED',
    reason: 'a task that nobody has claimed has no worker, so nobody gets this far',
  },
  {
    contract: 'TaskRegistry',
    where: '_endRuling',
    text: 'workerBps > BPS / 2',
    reason: 'at exactly one half nobody wins: winner and loser are not used',
  },
  {
    contract: 'UsdOracle',
    where: '_sequencerUp',
    text: 'since <= block.timestamp',
    reason: 'a sequencer that is up since this moment is within its grace period either way',
  },
];

export function reasonToAccept({ contract, where, text }: Mutant): string | undefined {
  return accepted.find((one) => one.contract === contract && one.where === where && one.text === text)
    ?.reason;
}
