// Plans: bought on the chain, and the same payment told to all sites at once, of which one may count it.
import { markets } from '#sdk/domain/market.ts';
import { countUse } from '../journal.ts';
import { done, type PersonalAct, refused, unanswered } from './actor.ts';

export const buyPlan: PersonalAct = async ({ stage, journal, ask }, person, random) => {
  const market = random.pick(markets);
  const payWith = random.pick(['tok', 'usdc'] as const);
  const bought = await person.act('buy-plan', { market, tier: 'basic', payWith });
  if (bought.outcome === 'refused') return refused(bought.reason);
  const txHash = bought.hashes.at(-1);
  const body = { address: person.address, market, tier: 'basic', txHash, payWith };
  const replies = await Promise.all(
    [...stage.sites, ...stage.gateways].map((site) => ask(site, '/api/posting/upgrade', body)),
  );
  const counted = replies.filter((reply) => reply.body.upgraded === true).length;
  // A fork may undo a payment, and then the same transaction may come again.
  countUse(journal.uses.purchase, `${txHash} after ${journal.forks} forks`, counted);
  return counted === 1 ? done() : unanswered(Math.max(...replies.map(({ status }) => status)));
};
