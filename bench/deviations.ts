// `npm run contracts:deviations`: plays each deviation to its end on a chain in this process, and writes what it brings its author
// into the table of docs/security.md. Fails if one pays that has no reason.
//
// Each is played on both markets, with small and very large amounts; then prices of TOK and the share of sleepers are applied.
// --check   writes nothing; fails when the page has another table
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatEther, parseEther } from 'viem';
import { markets } from '#sdk/domain/market.ts';
import { root } from '../scripts/tools.ts';
import { type Deviation, deviations, owners, type Step, starts } from './deviationMoves.ts';
import { formatTable, replaceBetweenMarks } from './figure.ts';
import { createMarket, type Market } from './gasMarket.ts';

/** What a play brought its author; interest is what its money would have earned elsewhere. */
type Result = { readonly tok: number; readonly usdc: number; readonly stakersTok: number };
type Case = { readonly total: bigint; readonly awake: Result; readonly asleep: Result | undefined };

const totals = ['100', '10000', '1000000', '10000000'].map((amount) => parseEther(amount));
/** US dollars for a TOK: a tenth of the first price, the first price, and ten times as much. */
const prices = [0.0005, 0.005, 0.05];
const sleepers = [10, 100, 1_000];
const yearlyInterest = 0.1;
const secondsOfYear = 365 * 86_400;

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const casesOf = new Map<Deviation, Case[]>(deviations.map((deviation) => [deviation, []]));
for (const name of markets)
  for (const total of totals) {
    const market = await createMarket({ name, total });
    for (const [deviation, cases] of casesOf) cases.push({ total, ...(await compare(market, deviation)) });
  }

const unexplained = [...casesOf].filter(
  ([deviation, cases]) => deviation.reason === undefined && paysSomewhere(cases),
);
for (const [{ author, move }] of unexplained)
  console.error(`This pays and has no reason: ${author} ${move}.`);
const page = join(root, 'docs/security.md');
const before = readFileSync(page, 'utf8');
const after = replaceBetweenMarks(before, 'deviations', describe());
if (values.check && after !== before) console.error('The table in docs/security.md is another one.');
if (!values.check) writeFileSync(page, after);
process.exitCode = unexplained.length > 0 || (values.check && after !== before) ? 1 : 0;

/** What the deviation brings more than the honest way from the same state. */
async function compare(
  market: Market,
  { author, phase, start = starts[phase], ...ways }: Deviation,
): Promise<Omit<Case, 'total'>> {
  const team = owners[author](market);
  return market.aside(async () => {
    const taskId = await start(market);
    const play = (steps: readonly Step[]) => market.aside(() => measure(market, taskId, team, steps));
    const honest = await play(ways.honest);
    const minusHonest = ({ tok, usdc, stakersTok }: Result): Result => ({
      tok: tok - honest.tok,
      usdc: usdc - honest.usdc,
      stakersTok: stakersTok - honest.stakersTok,
    });
    const asleep = ways.asleep && minusHonest(await play(ways.asleep));
    return { awake: minusHonest(await play(ways.awake)), asleep };
  });
}

async function measure(
  market: Market,
  taskId: bigint,
  team: readonly Wallet[],
  steps: readonly Step[],
): Promise<Result> {
  const read = async () => {
    const owned = await Promise.all(team.map(market.wealthOf));
    const sum = (values: readonly bigint[]) => values.reduce((left, right) => left + right, 0n);
    return { tok: sum(owned.map(({ tok }) => tok)), usdc: sum(owned.map(({ usdc }) => usdc)) };
  };
  await market.flush();
  const [first, stakersFirst] = [await read(), await market.wealthOf(market.staking)];
  let interest = 0;
  let work = 0n;
  for (const step of steps) {
    const [since, missing] = [market.now(), first.tok - (await read()).tok];
    work += (await step(market, taskId)) ?? 0n;
    if (missing > 0n)
      interest += (toNumber(missing) * yearlyInterest * (market.now() - since)) / secondsOfYear;
  }
  await market.flush();
  const [last, stakersLast] = [await read(), await market.wealthOf(market.staking)];
  return {
    tok: toNumber(last.tok - first.tok + work) - interest,
    usdc: Number(last.usdc - first.usdc) / 1e6,
    stakersTok: toNumber(stakersLast.tok - stakersFirst.tok),
  };
}

/** What a case brings in US dollars when one in this many users is inattentive; 0 for nobody. */
function valueInUsd({ awake, asleep }: Case, price: number, oneIn: number, ownsAllStake = false): number {
  const inUsd = ({ tok, usdc, stakersTok }: Result) => (tok + (ownsAllStake ? stakersTok : 0)) * price + usdc;
  const rate = asleep === undefined || oneIn === 0 ? 0 : 1 / oneIn;
  return rate * inUsd(asleep ?? awake) + (1 - rate) * inUsd(awake);
}

function countPaying(cases: readonly Case[], oneIn: number, ownsAllStake = false): number {
  // Less than a cent is the rounding of a split.
  return cases.flatMap((one) => prices.filter((price) => valueInUsd(one, price, oneIn, ownsAllStake) > 0.01))
    .length;
}

function paysSomewhere(cases: readonly Case[]): boolean {
  return [0, ...sleepers].some((oneIn) => countPaying(cases, oneIn) > 0) || countPaying(cases, 0, true) > 0;
}

/** The share of sleepers above which the deviation pays, in the case that pays first. */
function formatBreakEven(cases: readonly Case[]): string {
  const rates = cases.flatMap((one) =>
    prices.map((price) => {
      const [awake, asleep] = [valueInUsd(one, price, 0), valueInUsd(one, price, 1)];
      return awake > 0 ? 0 : asleep <= 0 ? Number.POSITIVE_INFINITY : awake / (awake - asleep);
    }),
  );
  const lowest = Math.min(...rates);
  if (lowest === Number.POSITIVE_INFINITY) return 'never';
  return lowest === 0 ? 'always' : `one in ${Math.floor(1 / lowest)}`;
}

function describe(): string {
  const of = totals.length * markets.length * prices.length;
  const rows = [...casesOf].map(([{ author, phase, move, sleeper, reason }, cases]) => {
    const shown = cases.find(({ total }) => total === totals[1]) as Case;
    const figures = [0, ...sleepers].map((oneIn) => `${countPaying(cases, oneIn)}`);
    return [
      `${author}: ${phase}`,
      move,
      formatResult(shown.awake),
      shown.asleep === undefined ? '–' : `${formatResult(shown.asleep)} (${sleeper})`,
      shown.asleep === undefined ? '–' : formatBreakEven(cases),
      ...figures,
      `${countPaying(cases, 0, true)}`,
      reason ?? 'does not pay',
    ];
  });
  const head = [
    'author',
    'deviation',
    'brings, all awake',
    'brings, if … sleeps',
    'pays above',
    'nobody sleeps',
    ...sleepers.map((oneIn) => `1 in ${oneIn.toLocaleString('en')}`),
    'owns all stake',
    'reason',
  ];
  return [
    `Cases that pay, of ${of} each: ${totals.map((total) => Number(formatEther(total)).toLocaleString('en')).join(', ')} TOK on ${markets.join(' and ')}, with a TOK at ${prices.join(', ')} US dollars. The third and fourth column are for 10,000 TOK on standard.`,
    '',
    formatTable(head, rows),
  ].join('\n');
}

function formatResult({ tok, usdc }: Result): string {
  const round = (value: number) =>
    Number(value.toFixed(1)).toLocaleString('en', { signDisplay: 'exceptZero' });
  const parts = [[tok, 'TOK'] as const, [usdc, 'USDC'] as const].filter(([value]) => Math.abs(value) >= 0.05);
  return parts.map(([value, unit]) => `${round(value)} ${unit}`).join(', ') || 'nothing';
}

function toNumber(wei: bigint): number {
  return Number(formatEther(wei));
}

type Wallet = Parameters<Market['wealthOf']>[0];
