// What `svc deploy` tells its user: the result, or how far an earlier run came.

import type { Deployment } from '@svc/sdk/chain';
import { isSameAddress, markets } from '@svc/sdk/domain';
import { describeMismatch, type Mismatch } from '#deploy/checks.ts';
import type { Journal, JournalStep, Progress } from '#deploy/journal.ts';

export function describeDeployment(file: string, deployment: Deployment): string {
  const { chainId, startBlock, deployer, roles } = deployment;
  const shared = (['tokToken', 'usdc', 'usdOracle', 'priceFeed', 'marketLens'] as const).map((name) => [
    name,
    deployment[name],
  ]);
  const own = markets.flatMap((market) => {
    const { parameters, ...addresses } = deployment.markets[market];
    return Object.entries(addresses).map(([name, address]) => [`${market}.${name}`, address]);
  });
  const lines = [...shared, ...own].map(([name, address]) => `  ${String(name).padEnd(30)}${address}`);
  const handover = isSameAddress(deployer, roles.owner)
    ? []
    : [
        `Until ${roles.owner} calls acceptOwnership() on these, ${deployer} owns them:`,
        ...listOwned(deployment),
      ];
  return [
    `Both markets stand on chain ${chainId} from block ${startBlock} on, wiring verified: ${file}`,
    ...lines,
    ...handover,
  ].join('\n');
}

export function describeProgress(journalFile: string, journal: Journal, progress: Progress): string {
  const { deployer, chainId } = journal.deployment;
  const { done, missing, waiting, isSameChain } = progress;
  if (!isSameChain)
    return `${journalFile} is of a deployment on another chain (id ${chainId}, genesis ${journal.deployment.genesisHash}); nothing of it is here. To forget it and deploy: --abandon.`;
  const total = journal.steps.length;
  const head = `A deployment by ${deployer} was started and is not finished: ${done.length} of ${total} steps stand on chain ${chainId}${waiting > 0 ? `, ${waiting} more transactions are waiting` : ''}.`;
  const way =
    missing.length === 0
      ? 'Only the file is missing. To verify the contracts and write it: --finish.'
      : 'If no other svc deploy is running, nothing will complete it. To give it up and start anew with new addresses: --abandon.';
  return [head, ...listSteps('stands', done), ...listSteps('missing', missing), way].join('\n');
}

/** The end of a sentence about a deployment file. */
export function describeWiring(mismatches: readonly Mismatch[]): string {
  if (mismatches.length === 0) return 'its contracts are wired as it says';
  return `its contracts are not as it says:\n${mismatches.map((mismatch) => `  ${describeMismatch(mismatch)}`).join('\n')}\n`;
}

function listSteps(verdict: string, steps: readonly JournalStep[]): string[] {
  return steps.map(
    ({ name, creates }) => `  ${verdict.padEnd(8)} ${name}${creates === undefined ? '' : ` ${creates}`}`,
  );
}

function listOwned({ priceFeed, markets: both }: Deployment): string[] {
  const owned = markets.flatMap((market) =>
    (['pricingPolicy', 'taskRegistry', 'stakingVault'] as const).map((name) => [
      `${market}.${name}`,
      both[market][name],
    ]),
  );
  return [['priceFeed', priceFeed], ...owned].map(
    ([name, address]) => `  ${String(name).padEnd(30)}${address}`,
  );
}
