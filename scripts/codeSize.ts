// Checks that every contract, or with --next every next contract, stays clear of the size limit of the chain, and prints by how much.
import { buildArtifacts, isLocal } from './artifacts.ts';

const limitBytes = 24_576;
const reserveBytes = 1_000;

for (const artifact of await buildArtifacts()) {
  if (isLocal(artifact)) continue;
  const bytes = (artifact.deployedBytecode.length - 2) / 2;
  const isTooLarge = limitBytes - bytes < reserveBytes;
  const note = isTooLarge ? `, but ${reserveBytes} must be left` : '';
  console.log(`${artifact.contractName}: ${bytes} bytes, ${limitBytes - bytes} left${note}`);
  if (isTooLarge) process.exitCode = 1;
}
