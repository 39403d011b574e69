// `npm run contracts:next:deviations`: plays each deviation on the next contracts to its end, in a chain in this process, and writes what it
// brings its author into the table of contracts/next/README.md. Fails if one pays that has no reason.
//
// --check   writes nothing; fails when the page has another table
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTable, replaceBetweenMarks } from '../../bench/figure.ts';
import { markets } from '../../sdk/src/domain/market.ts';
import { junk, type Played, playAll } from './moves.ts';

const page = join(import.meta.dirname, 'README.md');
/** US dollars of a disputed milestone, and of an access fee. */
const sizes = [20, 500, 5_000];
const fees = [0.5, 5];
const columns: { readonly title: string; readonly played: readonly Played[] }[] = [];

for (const fee of fees)
  for (const market of markets)
    for (const size of sizes)
      columns.push({ title: `${market}, A ${fee}, D ${size}`, played: await playAll(market, fee, size) });

const [reasons, unexplained] = [new Set<string>(), [] as string[]];
const rows = (columns[0]?.played ?? []).map(({ author, move, reason }, place) => {
  const cells = columns.map(({ played }) => played[place]?.usd ?? Number.NaN);
  if (cells.some((usd) => usd > 0.005))
    if (reason === undefined) unexplained.push(move);
    else reasons.add(`**${move}**: ${reason}`);
  return [author, move, ...cells.map((usd) => usd.toFixed(2))];
});
const titles = columns.map(({ title }) => title);
const table = formatTable(['author', 'move', ...titles], rows);
/** Of how many cases a judge may rule one wrong before junk pays: what the error gives, beside what the loss costs. */
const breakEven = ['without', 'with'].map((way) => {
  const brings = (played: readonly Played[], end: string) =>
    played.find(({ move }) => move === junk(way, end))?.usd ?? Number.NaN;
  const cases = columns.map(({ played }) => 1 - brings(played, 'the judge errs') / brings(played, 'loses'));
  return [`${way} a bond`, ...cases.map((count) => String(Math.round(count)))];
});
const text = [
  table,
  '',
  ...[...reasons].map((reason) => `- ${reason}`),
  '',
  'Junk that is answered pays from one wrong ruling in so many cases on:',
  '',
  formatTable(['answered', ...titles], breakEven),
].join('\n');
for (const move of unexplained) console.error(`This pays and has no reason: ${move}.`);
const before = readFileSync(page, 'utf8');
const after = replaceBetweenMarks(before, 'deviations', text);
const isCheck = process.argv.includes('--check');
if (isCheck && after !== before) console.error('The table in contracts/next/README.md is another one.');
if (!isCheck) writeFileSync(page, after);
process.exitCode = unexplained.length > 0 || (isCheck && after !== before) ? 1 : 0;
