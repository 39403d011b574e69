// Keeps docs/operations honest: each operation has its page, and what the pages name stands in the contracts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import gasSnapshot from '#contracts/gas.json' with { type: 'json' };
import { tokTokenAbi } from '#contracts/generated/abi/tokToken.ts';
import { usdOracleAbi } from '#contracts/generated/abi/usdOracle.ts';
import type { WriteAction } from '#sdk/actions/action.ts';
import { actions } from '#sdk/actions/catalog.ts';
import { formatTok, formatUsdc } from '#sdk/domain/amount.ts';
import { marketParameters, protocolConstants } from '#sdk/domain/parameters.ts';
import type { Task } from '#sdk/domain/task.ts';
import { buildOperationPages, entriesOf, operated, spell } from '../scripts/operationPages.ts';
import {
  loadPages,
  type Page,
  readBlocks,
  readCode,
  readHeadings,
  readSection,
  readTables,
  root,
} from './docs/markdown.ts';

const owned = ['TaskRegistry', 'DisputeCourt', 'PricingPolicy', 'StakingVault', 'PostedPriceFeed'];

const operationsOf: Record<string, readonly string[]> = {
  'answer-dispute': ['DisputeCourt.answerDispute'],
  concede: ['DisputeCourt.concede'],
  'extend-deadline': ['TaskRegistry.extendDeadline'],
  'rotate-fallback': ['DisputeCourt.scheduleFallback', 'DisputeCourt.acceptFallback'],
  'submit-evidence': ['DisputeCourt.submitEvidence'],
  'accept-milestone': ['TaskRegistry.acceptMilestone'],
  'activate-staking': ['StakingVault.activate'],
  'buy-plan': ['PaymentGateway.purchasePlan'],
  'calls-between-contracts': [
    'TaskRegistry.settleDispute',
    'DisputeCourt.open',
    'DepositVault.lockBond',
    'DepositVault.unlockBond',
    'DepositVault.slashBond',
    'EscrowVault.fund',
    'EscrowVault.release',
    'EscrowVault.payFee',
    'EscrowVault.refundBeyond',
    'EscrowVault.refundAll',
    'PaymentGateway.collectAccessFee',
    'PaymentGateway.pull',
    'StakingVault.addReward',
    'StakingVault.consumeCredits',
    'ReputationRegistry.bump',
  ],
  'cancel-task': ['TaskRegistry.cancelTask'],
  'claim-reward': ['StakingVault.claimReward'],
  'claim-task': ['TaskRegistry.claimTask'],
  'close-credits': ['StakingVault.closeCreditIssuance'],
  'complete-task': ['TaskRegistry.completeTask'],
  'create-task': ['TaskRegistry.createTask'],
  'dismiss-worker': ['TaskRegistry.giveDismissNotice', 'TaskRegistry.dismissWorker'],
  'emergency-top-up': ['DepositVault.emergencyTopUp'],
  escalate: ['DisputeCourt.escalate'],
  'flush-fees': ['PaymentGateway.flush'],
  'fund-task': ['TaskRegistry.fundTask'],
  'hand-over-ownership': owned.flatMap((contract) => [
    `${contract}.transferOwnership`,
    `${contract}.acceptOwnership`,
    `${contract}.renounceOwnership`,
  ]),
  'leave-task': ['TaskRegistry.leaveTask'],
  'mutual-settle': ['DisputeCourt.mutualSettle'],
  'open-dispute': ['TaskRegistry.openDispute'],
  'post-task': ['TaskRegistry.postTask'],
  'propose-arbitrator': ['DisputeCourt.proposeArbitrator'],
  'publish-price': ['PostedPriceFeed.publish', 'PostedPriceFeed.setPublisher'],
  'register-arbitrator': ['DisputeCourt.registerArbitrator'],
  'resolve-dispute': ['DisputeCourt.resolveDispute'],
  'resolve-timed-out': ['TaskRegistry.resolveTimedOut'],
  'resolve-timed-out-dispute': ['DisputeCourt.resolveTimedOut'],
  'set-entries-paused': ['TaskRegistry.setEntriesPaused'],
  'set-plan': ['PricingPolicy.setPlan'],
  stake: ['StakingVault.stake'],
  'start-work': ['TaskRegistry.startWork'],
  'submit-proof': ['TaskRegistry.submitProof'],
  'top-up': ['DepositVault.topUp'],
  'unbond-arbitrator': ['DisputeCourt.requestUnbond', 'DisputeCourt.withdrawBond'],
  unstake: ['StakingVault.unstake'],
  'withdraw-deposit': ['DepositVault.withdraw'],
};

const form = [
  'Who may',
  'When',
  'What it costs',
  'What moves',
  'What it emits',
  'What can revert',
  'Good to know',
  'In the picture',
  'Neighbours',
];

/** OpenZeppelin declares it for proxies; our registry's domain never changes. */
const neverEmitted = ['EIP712DomainChanged'];

const overview = loadPages('docs/operations/README.md')[0] as Page;
const pages = loadPages('docs/operations/*.md').filter(({ path }) => path !== overview.path);
const nameOf = ({ path }: Page) => basename(path, '.md');

const errors = new Set(
  [...Object.values(operated), tokTokenAbi, usdOracleAbi].flatMap((abi) =>
    entriesOf(abi, 'error').map(spell),
  ),
);

test('every function that changes state has exactly one page', () => {
  const functions = Object.entries(operated).flatMap(([contract, abi]) =>
    entriesOf(abi, 'function')
      .filter(({ stateMutability }) => stateMutability === 'nonpayable' || stateMutability === 'payable')
      .map(({ name }) => `${contract}.${name}`),
  );
  assert.deepEqual(Object.values(operationsOf).flat().sort(), functions.sort());
  assert.deepEqual(pages.map(nameOf).sort(), Object.keys(operationsOf).sort());
});

for (const page of pages) {
  test(`${nameOf(page)}: the page names its functions and keeps the form`, () => {
    const named = page.text.split('\n\n')[1]?.match(/`[^`]+`/g) ?? [];
    assert.deepEqual(
      named.map((code) => code.slice(1, -1)),
      operationsOf[nameOf(page)],
    );
    const headings = readHeadings(page, 2);
    assert.deepEqual(
      headings,
      form.filter((heading) => heading !== 'Good to know' || headings.includes(heading)),
    );
    assert.match(page.text, /^Gas: /m);
    assert.equal(readBlocks(page).filter(({ language }) => language === 'mermaid').length, 1);
  });
}

test('events and errors on the pages are those of the contracts, and signed types those of the registry', () => {
  for (const [path, text] of buildOperationPages())
    assert.equal(readFileSync(join(root, path), 'utf8'), text, `${path}: run "npm run generate"`);
  for (const page of [overview, ...pages])
    for (const error of spelledErrors(page)) assert.ok(errors.has(error), `${page.path} names ${error}`);
});

test('every error of the operated contracts is explained on a page', () => {
  const named = new Set([overview, ...pages].flatMap(spelledErrors));
  const raised = Object.values(operated).flatMap((abi) => entriesOf(abi, 'error').map(spell));
  assert.deepEqual(
    raised.filter((error) => !named.has(error)),
    [],
  );
});

test('every event of the operated contracts stands on a page', () => {
  const named = new Set(
    pages.flatMap((page) =>
      (readTables(readSection(page, 'What it emits'))[0] ?? []).map(([event]) => event),
    ),
  );
  const emitted = Object.values(operated).flatMap((abi) =>
    entriesOf(abi, 'event').map(({ name }) => name as string),
  );
  assert.deepEqual(
    emitted.filter((name) => !neverEmitted.includes(name) && !named.has(`\`${name}\``)),
    [],
  );
});

test('every gas row on a page stands in the snapshot, and every row of the snapshot on a page', () => {
  const named = pages.flatMap(({ text }) => {
    const [paragraph = ''] = text.match(/^Gas: .*?(?=\n\n)/ms) ?? [];
    return [...paragraph.matchAll(/`([^`]+)`/g)].map(([, row]) => row);
  });
  assert.deepEqual(named.sort(), Object.keys(gasSnapshot).sort());
});

test('the overview leads to every page', () => {
  for (const page of pages) assert.ok(overview.text.includes(`(${nameOf(page)}.md)`), nameOf(page));
});

/** Half funded, with one milestone of two paid. */
const sampleTask: Task = {
  market: 'standard',
  number: 1n,
  registryAddress: '0x0000000000000000000000000000000000000001',
  poster: '0x0000000000000000000000000000000000000002',
  worker: '0x0000000000000000000000000000000000000003',
  state: 'DELIVERED',
  scope: 'open',
  milestones: [100n, 100n],
  milestone: 1,
  round: 0,
  reviewPeriod: 86_400,
  deadline: 2_000_000_000,
  createdAt: 1_900_000_000,
  updatedAt: 1_900_000_000,
  dismissAt: null,
  totalAmount: 200n,
  funded: 100n,
  released: 0n,
  refunded: 0n,
  fees: 0n,
  criteriaHash: '0x',
  settlementDigest: null,
  dispute: null,
};

const writes = actions.filter((action): action is WriteAction => action.kind === 'write');
/** Two contracts end phases, each with its own page. */
const morePages: Record<string, readonly string[]> = { 'resolve-timed-out': ['resolve-timed-out-dispute'] };
const { standard, micro } = marketParameters;
const withCommas = (amount: string) => amount.replace(/\B(?=(\d{3})+$)/g, ',');

/** What a page says about a cost of that kind. */
const costWords: Record<string, string> = {
  accessFee: `Access fee: ${withCommas(formatTok(standard.accessFeeTokWei))} TOK`,
  collateralBond: `${formatUsdc(standard.bondUsdc)} USDC on standard, ${formatUsdc(micro.bondUsdc)} USDC on micro`,
  disputeBond: `${protocolConstants.disputeBps / 100} % of the current milestone`,
  escrow: 'TOK',
  arbitratorBond: `${withCommas(formatTok(standard.arbitratorMinBondTokWei))} TOK`,
  stake: `${withCommas(formatTok(protocolConstants.minStakeTokWei))} TOK`,
  planTok: 'TOK',
  collateral: 'USDC',
  rescue: 'USDC',
};

for (const action of writes) {
  test(`${action.name}: words, costs and page agree with the catalog`, () => {
    for (const words of [action.title, action.summary, action.effect, action.undo])
      assert.ok(words.length > 5, `${action.name} lacks words`);
    if (action.page === 'README') {
      assert.match(readSection(overview, 'Approvals'), /`(tok|usdc)\.approve/);
      return;
    }
    const names = [action.page ?? action.name, ...(morePages[action.name] ?? [])];
    const own = names.map((name) => pages.find((page) => nameOf(page) === name) ?? assert.fail(name));
    const section = (heading: string) => own.map((page) => readSection(page, heading)).join('\n');
    for (const role of action.by) assert.match(section('Who may'), new RegExp(role, 'i'));
    for (const state of Object.keys(action.windows ?? {}))
      assert.match(section('When'), new RegExp(`\\b${state}\\b`), `${action.name} in ${state}`);
    const functions = names.flatMap((name) => operationsOf[name] ?? []);
    for (const call of Object.keys(action.calls)) assert.ok(functions.includes(call), call);
    const costs = action.costs?.({ figures: standard, amount: 1n, task: sampleTask }) ?? [];
    const told = section('What it costs').replace(/\s+/g, ' ');
    for (const { kind } of costs) assert.ok(told.includes(costWords[kind] ?? assert.fail(kind)), kind);
    if (!costs.some(({ kind }) => kind === 'accessFee')) assert.doesNotMatch(told, /Access fee:/);
    if (!costs.some(({ kind }) => kind === 'collateralBond')) assert.doesNotMatch(told, /deposit is locked/);
  });
}

test('every action of a task has a window in some state, and every window belongs to one of its roles', () => {
  for (const { name, windows = {}, by } of writes)
    for (const [state, windowsOf] of Object.entries(windows))
      for (const window of windowsOf({ ...sampleTask, state: state as Task['state'] }))
        assert.ok(by.includes(window.by), `${name} by ${window.by}`);
});

/** Code that looks like a declared error. Function calls begin with a small letter. */
function spelledErrors(page: Page): string[] {
  return readCode(page).filter((code) => /^[A-Z]\w+\(.*\)$/.test(code));
}
