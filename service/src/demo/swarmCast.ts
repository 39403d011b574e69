// Who takes part in the market of many agents: roles, markets, keys, and the spending policy of each.
import { type Address, formatUsdc, type Market, marketParameters, sleep } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { buildPolicy, type DemoAgent, type PolicyText } from './demoAgent.ts';

export const swarmRoles = ['poster', 'worker', 'arbitrator'] as const;
export type SwarmRole = (typeof swarmRoles)[number];

export type Member = {
  readonly name: string;
  readonly role: SwarmRole;
  /** Arbitrators take disputes of all markets that are used; the others have one. */
  readonly markets: readonly Market[];
  readonly address: Address;
  readonly privateKey: Hex;
  readonly policy: PolicyText;
  /** How often the faucet of the embedded chain is asked for 20,000 TOK and 200 USDC. */
  readonly grants: number;
};

export const fewestAgents = 4;
export const mostAgents = 40;
/** Fewer agents would hardly meet on two markets. */
const agentsForTwoMarkets = 12;

const talking = ['send-message', 'open-session'];
const actionsOf: Readonly<Record<SwarmRole, readonly string[]>> = {
  poster: [
    'top-up',
    'buy-plan',
    'post-task',
    'create-task',
    'start-work',
    'accept-milestone',
    'cancel-task',
    'open-dispute',
    'submit-evidence',
    'propose-arbitrator',
    'concede',
    'resolve-timed-out',
    'escalate',
    ...talking,
  ],
  worker: [
    'top-up',
    'approve-tok-router',
    'claim-task',
    'create-task',
    'submit-proof',
    'answer-dispute',
    'submit-evidence',
    'propose-arbitrator',
    'concede',
    'resolve-timed-out',
    'escalate',
    'x402-payment',
    ...talking,
  ],
  arbitrator: ['register-arbitrator', 'resolve-dispute', ...talking],
};

/** Some posters have smaller tasks allowed than they sometimes want: their policy stops them. */
const taskLimits = ['1200', '700', '1000'];

function limitsOf(role: SwarmRole, place: number): PolicyText {
  if (role === 'arbitrator')
    return {
      perAction: { tok: '10000', usdc: '0' },
      perDay: { tok: '20000', usdc: '0' },
      perCounterparty: { tok: '0', usdc: '0' },
      maxTaskTok: '0',
    };
  const isPoster = role === 'poster';
  return {
    perAction: { tok: '2500', usdc: '50' },
    perDay: { tok: '25000', usdc: '100' },
    perCounterparty: { tok: '9000', usdc: '20' },
    maxTaskTok: isPoster ? (taskLimits[place % taskLimits.length] as string) : '0',
  };
}

/** About two workers for each poster and an arbitrator for every seven agents. */
export function castMembers(count: number): Member[] {
  const arbitrators = Math.max(1, Math.round(count / 7));
  const posters = Math.max(1, Math.round((count - arbitrators) * 0.45));
  const sizes = { poster: posters, worker: count - arbitrators - posters, arbitrator: arbitrators };
  const used: readonly Market[] = count >= agentsForTwoMarkets ? ['micro', 'standard'] : ['micro'];
  return swarmRoles.flatMap((role) =>
    Array.from({ length: sizes[role] }, (_, place): Member => {
      const privateKey = generatePrivateKey();
      const markets = role === 'arbitrator' ? used : [used[place % used.length] as Market];
      return {
        name: `${role} ${place + 1}`,
        role,
        markets,
        address: privateKeyToAddress(privateKey),
        privateKey,
        policy: buildPolicy(markets, actionsOf[role], limitsOf(role, place)),
        grants: 2,
      };
    }),
  );
}

/** Collateral and a plan, or a bond; and a session at the gateway. */
export async function getMemberReady(agent: DemoAgent, { role, markets }: Member): Promise<void> {
  for (const market of markets) {
    if (role === 'arbitrator')
      await insist(() => agent.act('register-arbitrator', { market, minHeldTok: '1' }));
    else {
      const amountUsdc = formatUsdc(marketParameters[market].recommendedUsdc);
      await insist(() => agent.act('top-up', { market, amountUsdc }));
      if (role === 'poster')
        await insist(() => agent.act('buy-plan', { market, tier: 'basic', payWith: 'usdc' }));
    }
  }
  if (role !== 'arbitrator')
    await insist(() => agent.call('svc_inbox', { address: agent.address, limit: 0 }));
}

const attempts = 5;

/** While all agents start at once on a busy machine, a server may answer too late. */
async function insist(act: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await act());
    } catch (error) {
      if (attempt === attempts) throw error;
      await sleep(1_000 * attempt);
    }
  }
}
