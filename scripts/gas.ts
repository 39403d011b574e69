// `npm run contracts:gas`: measures the gas of every operation and writes it to contracts/gas.json.
//
// Whole transactions on a chain in this process, by wallets that have used the market before and have approved exactly
// what the transaction takes (an allowance that falls to zero is refunded; an unlimited one costs about 1,900 more).
//
// --check   writes nothing; fails when an operation uses over 2 % more than the file says, or more than its ceiling
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildArtifacts } from './artifacts.ts';
import { useBefore } from './gas/history.ts';
import { createMarket } from './gas/market.ts';
import { operations } from './gas/operations.ts';
import { judge, type Verdict } from './gas/verdict.ts';
import { root } from './tools.ts';

type Row = {
  readonly name: string;
  readonly gas: number;
  readonly last: number | undefined;
  readonly ceiling: number | undefined;
  readonly verdict: Verdict;
};

const snapshotFile = join(root, 'contracts/gas.json');

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const snapshot = readSnapshot();
const rows = await measure();
const gone = Object.keys(snapshot).filter((name) => rows.every((row) => row.name !== name));

print(rows);
if (values.check) {
  for (const name of gone) console.log(`"${name}" is in the snapshot, but is not measured any more.`);
  process.exitCode = gone.length > 0 || rows.some(({ verdict }) => !verdict.isGood) ? 1 : 0;
} else {
  const figures = Object.fromEntries(rows.map(({ name, gas }) => [name, gas]));
  writeFileSync(snapshotFile, `${JSON.stringify(figures, null, 2)}\n`);
  process.exitCode = rows.some(({ gas, ceiling }) => ceiling !== undefined && gas > ceiling) ? 1 : 0;
}

function readSnapshot(): Record<string, number> {
  return existsSync(snapshotFile) ? JSON.parse(readFileSync(snapshotFile, 'utf8')) : {};
}

async function measure(): Promise<Row[]> {
  const market = await createMarket(await buildArtifacts());
  await useBefore(market);
  const measured: Row[] = [];
  for (const { name, ceiling, run } of operations) {
    const gas = await market.chain.aside(() => run(market));
    const last = snapshot[name];
    measured.push({ name, gas, last, ceiling, verdict: judge(gas, last, ceiling) });
  }
  await market.chain.close();
  return measured;
}

function print(table: readonly Row[]) {
  const width = Math.max(...table.map(({ name }) => name.length));
  const format = (name: string, cells: readonly (string | number | undefined)[], note: string) => {
    const figures = cells.map((cell) => (cell ?? '').toLocaleString('en').padStart(9)).join('');
    return `${name.padEnd(width)}${figures}  ${note}`.trimEnd();
  };
  console.log(format('operation', ['gas', 'snapshot', 'change', 'ceiling'], ''));
  for (const { name, gas, last, ceiling, verdict } of table) {
    const change = last === undefined ? undefined : `${(((gas - last) / last) * 100).toFixed(1)} %`;
    console.log(format(name, [gas, last, change, ceiling], verdict.note));
  }
}
