// `npm run contracts:fuzz`: the invariants and fuzz tests in the long form, for nights and releases.
//
// npm run contracts:fuzz                                            256 runs of 500 steps for every invariant
// SVC_INVARIANT_RUNS=20 SVC_INVARIANT_DEPTH=300 npm run contracts:fuzz   as long as you like
import { runTool } from './tools.ts';

const longForm = { SVC_FUZZ_RUNS: '5000', SVC_INVARIANT_RUNS: '256', SVC_INVARIANT_DEPTH: '500' };

for (const [name, value] of Object.entries(longForm)) process.env[name] ||= value;
const { exitCode } = await runTool('hardhat', ['test', 'solidity', '--grep', '^(invariant_|testFuzz_)']);
process.exitCode = exitCode;
