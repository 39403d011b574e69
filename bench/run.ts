// `npm run bench` and `npm run bench:scale`: measures, prints every figure beside its target, fails where one is short.
//
// --scale   a thousand, a hundred thousand and a million stored tasks, instead of the other measurements
// --only x  this measurement alone, by its name in measurements.ts
// --quick   small and short, to prove that every script runs; the figures mean nothing and nothing can be short
// --write   puts the table into docs/performance.md
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figure, judge } from './figure.ts';
import { measurements } from './measurements.ts';
import { describeMachine, formatFigure, savePage } from './page.ts';
import { fullSizes, quickSizes } from './sizes.ts';
import { createStage } from './stage.ts';

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
if (values.write && (values.quick || values.only !== undefined))
  throw new Error('A part of a run is no table for the page.');

console.log(describeMachine());
const figures: Figure[] = [];
const stage = createStage(values.quick ? quickSizes : fullSizes, (text) => console.log(`… ${text}`));
try {
  for (const { name, run } of chosen) {
    console.log(`\n${name}`);
    const seen = await run(stage);
    for (const figure of seen) console.log(formatFigure(figure));
    figures.push(...seen);
  }
} finally {
  await stage.close();
}
if (values.write) savePage(join(import.meta.dirname, '../docs/performance.md'), suite, figures);
const short = figures.filter((figure) => judge(figure) === 'short');
if (!values.quick) {
  console.log(`\n${short.length === 0 ? 'Every target is met.' : `${short.length} short of its target.`}`);
  process.exitCode = short.length === 0 ? 0 : 1;
}
