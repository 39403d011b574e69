// Holds a replayed market against what the contracts answer at the same block.
import { isDeepStrictEqual } from 'node:util';
import type { PublicClient } from 'viem';
import type { Address } from '#sdk/domain/address.ts';
import { type MarketContracts, readTaskIds } from '../marketReader.ts';
import {
  at,
  blankAccount,
  blankArbitrator,
  blankDispute,
  blankReputation,
  blankStaker,
  type MarketModel,
  taskOf,
} from './model.ts';
import { countIn } from './staking.ts';

export type Difference = { readonly what: string; readonly replayed: unknown; readonly stored: unknown };

/** `blockNumber` must be one in which staking accrued, so that nothing has been earned since. */
export async function compareMarket(
  client: PublicClient,
  contracts: MarketContracts,
  model: MarketModel,
  agents: readonly Address[],
  blockNumber: bigint,
): Promise<{ readonly compared: number; readonly differences: Difference[] }> {
  const { registry, escrow, deposits, court, staking, reputation } = contracts;
  const pairs: Difference[] = [];
  const compare = (what: string, replayed: unknown, stored: unknown) =>
    void pairs.push({ what, replayed, stored });

  const ids = await readTaskIds(client, contracts, blockNumber);
  compare('ids', [...model.tasks.keys()], ids);
  await Promise.all(
    ids.map(async (id) => {
      const call = { args: [id], blockNumber } as const;
      const [task, amounts, ledger, dispute] = await Promise.all([
        client.readContract({ ...registry, ...call, functionName: 'getTask' }),
        client.readContract({ ...registry, ...call, functionName: 'milestonesOf' }),
        client.readContract({ ...escrow, ...call, functionName: 'ledger' }),
        client.readContract({ ...court, ...call, functionName: 'disputeOf' }),
      ]);
      const known = taskOf(model, id);
      const posted = model.milestones.get(id) ?? [];
      compare(`task ${id}`, known, task);
      compare(`milestones of ${id}`, posted.length === 0 ? [known.totalAmount] : posted, amounts);
      compare(`ledger of ${id}`, [known.funded, known.released, known.refunded, known.fees], ledger);
      compare(`dispute of ${id}`, model.disputes.get(id) ?? blankDispute, dispute);
    }),
  );
  await Promise.all(
    agents.map(async (agent) => {
      const call = { args: [agent], blockNumber } as const;
      const [[account], [arbitrator], staker, [record]] = await Promise.all([
        client.readContract({ ...deposits, ...call, functionName: 'accountOf' }),
        client.readContract({ ...court, ...call, functionName: 'arbitratorOf' }),
        client.readContract({ ...staking, ...call, functionName: 'stakerOf' }),
        client.readContract({ ...reputation, ...call, functionName: 'reputationOf' }),
      ]);
      compare(`deposit of ${agent}`, at(model.accounts, agent, blankAccount), account);
      compare(`arbitrator ${agent}`, at(model.arbitrators, agent, blankArbitrator), arbitrator);
      compare(`staker ${agent}`, countIn(at(model.stakers, agent, blankStaker), model.vault), staker);
      compare(`reputation of ${agent}`, at(model.reputations, agent, blankReputation), record);
    }),
  );
  for (const name of Object.keys(model.vault) as (keyof typeof model.vault)[]) {
    const stored = await client.readContract({ ...staking, functionName: name, blockNumber });
    compare(`staking ${name}`, model.vault[name], stored);
  }
  return {
    compared: pairs.length,
    differences: pairs.filter(({ replayed, stored }) => !isDeepStrictEqual(replayed, stored)),
  };
}
