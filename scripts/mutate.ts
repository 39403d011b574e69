// `npm run contracts:mutate`: drops or changes one thing in the contracts at a time and expects a failing test for each.
//
// All mutants are compiled together and switched off; a number in the compiled code switches one of them on.
//
// Results are kept: a run that was stopped goes on where it was, as long as contracts and tests are the same.
//
// --only TaskRegistry   the mutants of one contract; docs/mutants.md stays as it is
// --list                names the mutants and runs nothing
// --quick               skips the slowest files, and the long search with all fuzz runs and the invariants
// --report              runs nothing, and writes what is known so far to docs/mutants.md
import { parseArgs } from 'node:util';
import { createPlanner, everythingQuick, everythingThorough } from './mutate/attempts.ts';
import { type Journal, openJournal } from './mutate/journal.ts';
import { type Mutant, mutate } from './mutate/mutants.ts';
import { createPool, type Pool } from './mutate/pool.ts';
import { formatTest, isSurvivor, reasonToAccept, saveReport, type Verdict } from './mutate/report.ts';
import { compileTree, readSources, writeTree } from './mutate/tree.ts';

const workers = 2;
const startedAt = Date.now();

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const isChosen = ({ contract }: Mutant) => values.only === undefined || contract === values.only;

if (values.list) {
  for (const mutant of mutate(readSources()).mutants.filter(isChosen)) console.log(format(mutant));
} else if (values.report) {
  const mutants = writeTree();
  const journal = openJournal();
  saveReport(mutants.map((mutant) => judgeBy(journal, mutant)));
} else {
  const verdicts = await run();
  const survivors = verdicts.filter(isSurvivor);
  const killed = verdicts.filter(({ killer }) => killer !== undefined).length;
  const kept = verdicts.length - killed - survivors.length;
  if (values.only === undefined && !values.quick) saveReport(verdicts);
  console.log(`\n${killed} killed, ${kept} without effect, ${survivors.length} survived in ${elapsed()}`);
  process.exitCode = survivors.length > 0 ? 1 : 0;
}

async function run(): Promise<Verdict[]> {
  const mutants = writeTree().filter(isChosen);
  if (mutants.length === 0) throw new Error(`There is no contract ${values.only}.`);
  console.log(`${mutants.length} mutants; compiling them ...`);
  await compileTree();
  const journal = openJournal();
  const pool = createPool(workers);
  try {
    const usual = await runUsual(pool, journal);
    const failed = usual.find(({ hasFailed }) => hasFailed);
    if (failed !== undefined) throw new Error(`Without any mutant ${formatTest(failed)} fails already.`);
    const plan = createPlanner(usual);
    console.log(`compiled, and ${usual.length} tests pass without a mutant: ${elapsed()}`);
    let done = 0;
    let alive = 0;
    const judge = async (mutant: Mutant): Promise<Verdict> => {
      const isThorough = reasonToAccept(mutant) === undefined && !values.quick;
      if (journal.resultOf(mutant.number, isThorough) === undefined) {
        const attempts = plan(mutant);
        if (isThorough) attempts.push(everythingQuick(), everythingThorough());
        const killer = (await pool.kill(mutant.number, attempts)) ?? null;
        journal.saveResult(mutant.number, { killer, isThorough });
      }
      const verdict = judgeBy(journal, mutant);
      done += 1;
      if (isSurvivor(verdict)) {
        alive += 1;
        console.log(`survives  ${format(mutant)}`);
      }
      if (done % 25 === 0 || done === mutants.length)
        console.log(`${done} of ${mutants.length}, ${alive} survive, ${elapsed()}`);
      return verdict;
    };
    return await Promise.all(mutants.map(judge));
  } finally {
    pool.close();
  }
}

/** What all tests but the invariants say without any mutant, file by file. */
async function runUsual(pool: Pool, journal: Journal) {
  const { effort, files } = everythingQuick();
  const results = await Promise.all(
    files.map(async (file) => {
      const known = journal.usualOf(file);
      if (known !== undefined) return known;
      const found = await pool.run({ effort, files: [file] });
      journal.saveUsual(file, found);
      return found;
    }),
  );
  return results.flat();
}

function judgeBy(journal: Journal, mutant: Mutant): Verdict {
  const result = journal.resultOf(mutant.number, false);
  const reason = reasonToAccept(mutant);
  return { mutant, reason, killer: result?.killer ?? undefined, isTried: result !== undefined };
}

function format({ number, contract, where, kind, text }: Mutant): string {
  return `${String(number).padStart(4)}  ${contract}.${where}  ${kind}: ${text}`;
}

function elapsed(): string {
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
