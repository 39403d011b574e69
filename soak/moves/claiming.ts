// Claims through the gateways: by a receipt and by a payment, each presented to both gateways at once, of which one
// may let it in.

import type { Market } from '#sdk/domain/market.ts';
import { markets } from '#sdk/domain/market.ts';
import type { CreateRequest } from '#sdk/schemas/walletRequest.ts';
import { usdcAddress } from '#service/devnet/canonical.ts';
import type { Random } from '../../test/support/replay/random.ts';
import { payV1, payV2, signAuthorization } from '../../test/support/x402.ts';
import type { Reply } from '../asking.ts';
import { countUse } from '../journal.ts';
import type { Person } from '../people.ts';
import { nothing, type Outcome, type PersonalAct, unanswered, type World } from './actor.ts';
import { tell } from './trading.ts';

export const claimByReceipt: PersonalAct = async (world, person, random) => {
  const found = await findOpen(world, person, random);
  if (found === null) return nothing;
  const { gateways } = world.stage;
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
  const price = await world.ask(random.pick(world.stage.gateways), `/v1/tasks/${found.id}/claim`, {});
  const [offer] = price.body.accepts ?? [];
  if (offer === undefined) return unanswered(price.status);
  const { timestamp } = await world.stage.client.getBlock();
  const payment = await signAuthorization(person.account, {
    to: offer.payTo,
    validAfter: '0',
    validBefore: String(timestamp + 300n),
  });
  const headers = random.below(2) === 0 ? payV1(payment) : payV2(payment, { asset: usdcAddress });
  return present(world, person, found, headers, (times) =>
    countUse(world.journal.uses.payment, payment.authorization.nonce, times),
  );
};

type Open = { readonly id: string; readonly market: Market };

async function findOpen({ stage, ask }: World, person: Person, random: Random): Promise<Open | null> {
  const market = random.pick(markets);
  const { body } = await ask(random.pick(stage.gateways), `/v1/market/open?market=${market}&limit=20`);
  const tasks = (body.tasks ?? []) as { readonly id: string; readonly poster?: string }[];
  const foreign = tasks.filter(({ poster }) => poster !== person.address);
  return foreign.length === 0 ? null : { id: random.pick(foreign).id, market };
}

async function present(
  { stage, ask }: World,
  person: Person,
  { id, market }: Open,
  headers: Readonly<Record<string, string>>,
  count: (times: number) => void,
): Promise<Outcome> {
  const body = { payer: person.address };
  const claims = stage.gateways.map((gateway) => ask(gateway, `/v1/tasks/${id}/claim`, body, headers));
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
  return tell('claim-task', await person.hand(market, request));
}
