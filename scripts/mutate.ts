// `npm run contracts:mutate`: drops or changes one thing in the contracts at a time and expects a failing test for each.
//
// All mutants are compiled together and switched off; a number in the compiled code switches one of them on.
//
// --only <pattern>   those whose line in the list has it, such as "TaskRegistry" or "hand:"; the table in docs/mutants.md stays as it is
// --list             names the mutants and runs nothing
// --next             the next contracts; their table stands in contracts/next/mutants.md
// --killers          also prints the tests that fail for each mutant
// --quick            tries the quick tests only, and names what survives those; the table stays as it is
// --resume           leaves out those that an earlier run with this option has shown to die, as long as no contract has changed
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable, savePage } from '../bench/figure.ts';
import { isNext } from './artifacts.ts';
import { byHand } from './mutate/byHand.ts';
import { byHandNext } from './mutate/byHandNext.ts';
import { type Mutant, mutate } from './mutate/mutants.ts';
import { createRunner, type Runner, type Selection } from './mutate/runner.ts';
import { compileTree, readSources, tree, writeTree } from './mutate/tree.ts';
import { root } from './tools.ts';

/** The tests that failed; none for a mutant that survives. */
type Verdict = { readonly mutant: Mutant; readonly killers: readonly string[] };

/** Runs at the same time; each of them is short of work now and then. */
const lanes = 2;

/** Where the tests of each contract are. */
const folders: Readonly<Record<string, string>> = {
  DepositVault: 'deposits',
  DisputeCourt: 'court',
  EscrowVault: 'escrow',
  MarketLens: 'lens',
  PaymentGateway: 'gateway',
  PostedPriceFeed: 'pricing',
  PricingPolicy: 'pricing',
  ReputationRegistry: 'reputation',
  StakingVault: 'staking',
  Arbitrators: 'court',
  Splits: 'court',
  TaskBook: 'registry',
  TaskStore: 'registry',
  TaskRegistry: 'registry',
  TokToken: 'token',
  UsdOracle: 'pricing',
};

const page = join(root, isNext ? 'contracts/next/mutants.md' : 'docs/mutants.md');
/** Mutants that change nothing anyone can see, by the rows of the page that give the reason for each. */
const accepted = readFileSync(page, 'utf8').split('## Without effect')[1] ?? '';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    killers: { type: 'boolean', default: false },
    next: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
  },
});
const isChosen = (mutant: Mutant) => new RegExp(values.only).test(format(mutant));

if (values.list) {
  for (const mutant of mutate(readSources(), isNext ? byHandNext : byHand).mutants.filter(isChosen))
    console.log(format(mutant));
} else {
  const all = writeTree();
  const shown = values.resume ? loadShown(all) : [];
  const mutants = all
    .filter(isChosen)
    .filter((mutant) => !shown.some((verdict) => verdict.mutant === mutant));
  console.log(`${mutants.length} mutants; compiling them ...`);
  await compileTree();
  const verdicts = [...shown, ...(await judge(await createRunner(), mutants))];
  const survivors = verdicts.filter(isSurvivor);
  const killed = verdicts.filter(({ killers }) => killers.length > 0).length;
  if (verdicts.length === all.length && !values.quick) saveTable(verdicts);
  const kept = verdicts.length - killed - survivors.length;
  console.log(`\n${killed} killed, ${kept} without effect, ${survivors.length} survived`);
  process.exitCode = survivors.length > 0 ? 1 : 0;
}

async function judge(run: Runner, mutants: readonly Mutant[]): Promise<Verdict[]> {
  const files = globSync('test/**/*.t.sol', { cwd: tree }).sort();
  const isHostile = (file: string) => /\/hostile\//.test(file);
  const isLong = (file: string) => isHostile(file) || /\/invariants\//.test(file);
  const short: Selection = { files: files.filter((file) => !isLong(file)), effort: 'quick' };
  const [broken] = await run(0, short);
  if (broken !== undefined) throw new Error(`Without any mutant ${broken} fails already.`);

  /** The file whose test failed for the last mutant of a function: often the first to fail for the next. */
  const lastKillers = new Map<string, string>();

  /** One failing test is enough, so near and quick ones come first. */
  function plan(mutant: Mutant): Selection[] {
    const { contract, where, text } = mutant;
    const last = short.files.filter((file) => file === lastKillers.get(`${contract}.${where}`));
    const reenters = files.filter((file) => text === 'nonReentrant' && /Reentrancy/.test(file));
    const named = files.filter((file) =>
      [contract, where].some((name) => basename(file, '.t.sol').toLowerCase() === name.toLowerCase()),
    );
    const beside = files.filter((file) => file.startsWith(`test/${folders[contract]}/`));
    const near = [reenters, last, named, beside].map((some): Selection => ({ files: some, effort: 'quick' }));
    const others = short.files.filter((file) => !beside.includes(file));
    const far: Selection = { files: others, effort: 'quick' };
    // A mutant that may survive is tried in the quick tests only; the longest ones come last.
    const rest = [
      beside,
      others,
      files.filter((file) => isLong(file) && !isHostile(file)),
      files.filter(isHostile),
    ];
    const thorough = rest.map((some): Selection => ({ files: some, effort: 'thorough' }));
    const all = [...near, far, ...(isAccepted(mutant) || values.quick ? [] : thorough)];
    return all.filter(({ files: some }) => some.length > 0);
  }

  const verdicts: Verdict[] = [];
  const waiting = [...mutants];
  const work = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      let killers: string[] = [];
      for (const selection of plan(mutant)) {
        killers = await run(mutant.number, selection);
        if (killers.length > 0) break;
      }
      const [killer] = killers;
      if (killer !== undefined)
        lastKillers.set(`${mutant.contract}.${mutant.where}`, `test/${killer.split(':')[0]}.t.sol`);
      const verdict = { mutant, killers };
      verdicts.push(verdict);
      if (values.resume && killers.length > 0)
        appendFileSync(shownIn(), `${JSON.stringify([format(mutant), killers])}\n`);
      if (isSurvivor(verdict)) console.log(`survives  ${format(mutant)}`);
      else if (values.killers) console.log(`${format(mutant)}\n      ${killers.join('\n      ')}`);
      if (verdicts.length % 25 === 0) console.log(`${verdicts.length} of ${mutants.length}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return verdicts;
}

/** One line for each mutant that died, by what it changes and in which contracts. */
function loadShown(mutants: readonly Mutant[]): Verdict[] {
  const lines = existsSync(shownIn()) ? readFileSync(shownIn(), 'utf8').split('\n') : [];
  const killersOf = new Map<string, string[]>(
    lines.filter((line) => line !== '').map((line) => JSON.parse(line)),
  );
  return mutants.flatMap((mutant) => {
    const killers = killersOf.get(format(mutant));
    return killers === undefined ? [] : [{ mutant, killers }];
  });
}

function shownIn(): string {
  const sources = readSources().map(({ name, text }) => `${name}\n${text}`);
  return join(tree, `${createHash('sha256').update(sources.join('\n')).digest('hex')}.jsonl`);
}

function isSurvivor({ mutant, killers }: Verdict): boolean {
  return killers.length === 0 && !isAccepted(mutant);
}

function isAccepted({ contract, where, text }: Mutant): boolean {
  return accepted.includes(`| ${contract} | ${where} | \`${text}\` |`);
}

/** Puts the table between its markers in docs/mutants.md. */
function saveTable(verdicts: readonly Verdict[]): void {
  const rows = [...Map.groupBy(verdicts, ({ mutant }) => mutant.contract), ['all', verdicts] as const].map(
    ([contract, own]) => {
      const killed = own.filter(({ killers }) => killers.length > 0).length;
      const survivors = own.filter(isSurvivor).length;
      return [contract, own.length, killed, own.length - killed - survivors, survivors];
    },
  );
  const head = ['contract', 'mutants', 'killed', 'without effect', 'survive'];
  savePage(page, 'mutants', formatTable(head, rows.sort()));
}

function format({ number, contract, where, kind, text }: Mutant): string {
  return `${String(number).padStart(4)}  ${contract}.${where}  ${kind}: ${text}`;
}
