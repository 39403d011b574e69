// `npm run bench` and `npm run bench:scale`: measures, prints every figure with its target, fails if one is missed.
//
// --scale   a thousand, a hundred thousand and a million stored tasks, instead of the other measurements
// --only x  one measurement, by its name in measurements.ts
// --quick   small sizes, to prove that every script runs; the figures mean nothing and no target is checked
// --write   puts the table into docs/performance.md
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildTable, describeMachine, type Figure, formatFigure, judge, savePage } from './figure.ts';
import { measurements } from './measurements.ts';
import { createSetup, fullSizes, quickSizes } from './setup.ts';

const { values } = parseArgs({
  options: {
    scale: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const suite = values.scale ? 'scale' : 'bench';
const chosen = measurements[suite].filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0) throw new Error(`There is no measurement "${values.only}".`);
if (values.write && (values.quick || values.only !== undefined)) throw new Error('--write needs a full run.');

console.log(describeMachine());
const figures: Figure[] = [];
const setup = createSetup(values.quick ? quickSizes : fullSizes, (text) => console.log(`… ${text}`));
try {
  for (const { name, run } of chosen) {
    console.log(`\n${name}`);
    const seen = await run(setup);
    for (const figure of seen) console.log(formatFigure(figure));
    figures.push(...seen);
  }
} finally {
  await setup.close();
}
if (values.write) savePage(join(import.meta.dirname, '../docs/performance.md'), suite, buildTable(figures));
const short = figures.filter((figure) => judge(figure) === 'short');
if (!values.quick) {
  console.log(`\n${short.length === 0 ? 'Every target is met.' : `${short.length} missed their target.`}`);
  process.exitCode = short.length === 0 ? 0 : 1;
}
