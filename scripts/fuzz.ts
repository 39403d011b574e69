// `npm run contracts:fuzz`: fuzz tests and invariants in the long form, for nights and releases.
//
// As it is, there are 256 runs of 500 steps, with every invariant checked after each step: up to two hours of one core.
// Any of the three variables below, set outside, goes before the long form.
import { runTool } from './tools.ts';

const longForm = { SVC_FUZZ_RUNS: '5000', SVC_INVARIANT_RUNS: '256', SVC_INVARIANT_DEPTH: '500' };

for (const [name, value] of Object.entries(longForm)) process.env[name] ||= value;
const { exitCode } = await runTool('hardhat', ['test', 'solidity', '--grep', '^(invariant_|testFuzz_)']);
process.exitCode = exitCode;
