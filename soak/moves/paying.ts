// Claims by receipt or payment, and plans; each receipt and payment is sent to several servers at once. One may
// accept a receipt; a payment admits to one task, however often it is sent.
import { type Market, markets } from '#sdk/domain/market.ts';
import type { CreateRequest } from '#sdk/schemas/walletRequest.ts';
import { usdcAddress } from '#service/devnet/canonical.ts';
import type { Random } from '../../test/support/replay/random.ts';
import { payV1, payV2, signAuthorization } from '../../test/support/x402.ts';
import type { Reply } from '../asking.ts';
import { countUse } from '../journal.ts';
import type { Person } from '../people.ts';
import { listReplicas } from '../setup.ts';
import { done, nothing, type Outcome, type PersonalAct, refused, unanswered, type World } from '../world.ts';
import { toOutcome } from './trading.ts';

export const claimByReceipt: PersonalAct = async (world, person, random) => {
  const found = await findOpen(world, person, random);
  if (found === null) return nothing;
  const { gateways } = world.setup;
  const asked = { payer: person.address, action: 'claim', taskId: found.id };
  const given = await world.ask(random.pick(gateways), '/v1/payment-receipt', asked);
  if (given.status !== 200) return unanswered(given.status);
  const { header, receipt } = given.body;
  return present(world, person, found, { [header.name]: header.value }, (times) =>
    countUse(world.journal.uses.receipt, receipt.nonce, times),
  );
};

export const claimByPayment: PersonalAct = async (world, person, random) => {
  const found = await findOpen(world, person, random);
  if (found === null) return nothing;
  const price = await world.ask(random.pick(world.setup.gateways), `/v1/tasks/${found.id}/claim`, {});
  const [offer] = price.body.accepts ?? [];
  if (offer === undefined) return unanswered(price.status);
  const { timestamp } = await world.setup.client.getBlock();
  const payment = await signAuthorization(person.account, {
    to: offer.payTo,
    validAfter: '0',
    validBefore: String(timestamp + 300n),
  });
  const headers = random.below(2) === 0 ? payV1(payment) : payV2(payment, { asset: usdcAddress });
  const { journal } = world;
  const { from: payer, nonce } = payment.authorization;
  const from = journal.now();
  let isGranted = false;
  const count = (times: number) => {
    isGranted ||= times > 0;
    countUse(journal.uses.payment, nonce, times);
  };
  const note = () => void journal.payments.push({ payer, nonce, at: { from, to: journal.now() }, isGranted });
  // A payment that is sent again gets its answer again, and that is one use.
  const outcome = await present(world, person, found, headers, (times) => count(Math.min(times, 1)));
  const other = await findOpen(world, person, random);
  if (other === null || other.id === found.id) {
    note();
    return outcome;
  }
  const gateway = random.pick(world.setup.gateways);
  const reply = await world.ask(gateway, `/v1/tasks/${other.id}/claim`, { payer: person.address }, headers);
  count(reply.status === 200 ? 1 : 0);
  note();
  return outcome;
};

type Open = { readonly id: string; readonly market: Market };

async function findOpen({ setup, ask }: World, person: Person, random: Random): Promise<Open | null> {
  const market = random.pick(markets);
  const { body } = await ask(random.pick(setup.gateways), `/v1/market/open?market=${market}&limit=20`);
  const tasks = (body.tasks ?? []) as { readonly id: string; readonly poster?: string }[];
  const foreign = tasks.filter(({ poster }) => poster !== person.address);
  return foreign.length === 0 ? null : { id: random.pick(foreign).id, market };
}

async function present(
  { setup, ask }: World,
  person: Person,
  { id, market }: Open,
  headers: Readonly<Record<string, string>>,
  count: (times: number) => void,
): Promise<Outcome> {
  const body = { payer: person.address };
  const claims = setup.gateways.map((gateway) => ask(gateway, `/v1/tasks/${id}/claim`, body, headers));
  const replies = await Promise.all(claims);
  const admitted = replies.filter(({ status }) => status === 200);
  count(admitted.length);
  const [first] = admitted as [Reply?];
  if (first === undefined) return unanswered(Math.max(...replies.map(({ status }) => status)));
  const request: CreateRequest = {
    kind: 'calls',
    action: 'claim-task',
    summary: 'Claim it',
    chainId: 8_453,
    from: person.address,
    calls: first.body.calls,
    steps: [],
  };
  return toOutcome('claim-task', await person.hand(market, request));
}

export const buyPlan: PersonalAct = async ({ setup, journal, ask }, person, random) => {
  const market = random.pick(markets);
  const payWith = random.pick(['tok', 'usdc'] as const);
  const bought = await person.act('buy-plan', { market, tier: 'basic', payWith });
  if (bought.outcome === 'refused') return refused(bought.reason);
  const txHash = bought.hashes.at(-1);
  const body = { address: person.address, market, tier: 'basic', txHash, payWith };
  const replies = await Promise.all(
    listReplicas(setup).map((site) => ask(site, '/api/posting/upgrade', body)),
  );
  const counted = replies.filter((reply) => reply.body.upgraded === true).length;
  // A fork may undo a payment, and then the same transaction may come again.
  countUse(journal.uses.purchase, `${txHash} after ${journal.forked.length} forks`, counted);
  return counted === 1 ? done() : unanswered(Math.max(...replies.map(({ status }) => status)));
};
