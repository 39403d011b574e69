// `npm run contracts:next:prove`: the model checker of the compiler shows that the split of the dispute bonds adds up and that a judge earns the
// same by every ruling. Its bounded engine unrolls no loop here, so that what it proves holds for every value. Some seconds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import solc from 'solc';

type Message = {
  readonly formattedMessage: string;
  readonly severity: string;
  readonly message: string;
};

const project = join(import.meta.dirname, '..');
const file = 'proofs/SplitProof.sol';
const read = (path: string) => ({ content: readFileSync(join(project, path), 'utf8') });
const settings = {
  modelChecker: {
    engine: 'bmc',
    targets: ['assert'],
    solvers: ['z3'],
    contracts: { [file]: ['SplitProof'] },
    showUnproved: true,
    showProvedSafe: true,
  },
  outputSelection: { '*': { '*': [] } },
};
const sources = Object.fromEntries(
  [file, 'src/Splits.sol', 'src/Types.sol'].map((path) => [path, read(path)]),
);
const { errors = [] } = JSON.parse(
  solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })),
) as { readonly errors?: readonly Message[] };
for (const { formattedMessage } of errors) console.log(formattedMessage);
const asserts = read(file).content.match(/^ +assert\(/gm)?.length ?? 0;
const proved = errors.filter(({ message }) => /check is safe/.test(message)).length;
const unproved = errors.filter(
  ({ severity, message }) => severity === 'error' || /violation happens|might happen/.test(message),
);
console.log(`${asserts} assertions, ${unproved.length} not proved, ${proved} proved`);
process.exitCode = unproved.length > 0 || proved !== asserts ? 1 : 0;
