// Checks that every contract stays clear of the size limit of the chain, and prints by how much.
import { buildArtifacts, isLocal } from './artifacts.ts';

const limitBytes = 24_576;
const reserveBytes = 1_000;

const rows = (await buildArtifacts())
  .filter((artifact) => !isLocal(artifact))
  .map(({ contractName, deployedBytecode }) => {
    const bytes = (deployedBytecode.length - 2) / 2;
    return { contract: contractName, bytes, left: limitBytes - bytes };
  })
  .sort((first, second) => second.bytes - first.bytes);

const width = Math.max(8, ...rows.map(({ contract }) => contract.length));
console.log(`${'contract'.padEnd(width)}   bytes    left`);
for (const { contract, bytes, left } of rows) {
  const verdict = left < reserveBytes ? `  too large: ${reserveBytes} must be left` : '';
  console.log(
    `${contract.padEnd(width)}  ${String(bytes).padStart(6)}  ${String(left).padStart(6)}${verdict}`,
  );
}
process.exitCode = rows.some(({ left }) => left < reserveBytes) ? 1 : 0;
