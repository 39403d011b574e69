// What happened on the market before anything is measured, so that no wallet and no counter is new.
import { parseEther } from 'viem';
import { marketParameters } from '#sdk/domain/parameters.ts';
import { day, type Market, priceE8 } from './market.ts';
import {
  accept,
  act,
  assigned,
  buyPlanWithUsdc,
  claimed,
  delivered,
  leave,
  post,
  posted,
  resolve,
  tokOf,
} from './steps.ts';

export const stakeAmount = parseEther('1000000');

export async function makeHistory(market: Market): Promise<void> {
  const { chain, people, feed, gateway, registry, court, staking } = market;
  const { poster, arbitrator, staker, publisher } = people;

  const bond = marketParameters.standard.arbitratorMinBondTokWei;
  await act(market, arbitrator, court, 'registerArbitrator', [bond, 0n], tokOf(market, arbitrator, bond));
  for (const from of [arbitrator, staker]) {
    await act(market, from, registry, 'cancelTask', [await posted(market, { from })]);
    await act(market, from, staking, 'stake', [stakeAmount], tokOf(market, from, stakeAmount));
  }
  // Time enough for credits that pay for several actions, and for the first fees to be split.
  chain.skip(40 * day);
  await act(market, publisher, feed, 'publish', [priceE8]);
  await accept(market, await delivered(market));
  await post(market, { from: staker, withCredits: true });
  await leave(market, await claimed(market));
  await resolve(market, await assigned(market), 3_000);
  await act(market, staker, staking, 'claimReward', []);
  await buyPlanWithUsdc(market);

  // Money of others stays in escrow and court, and fees since the last split in the gateway.
  await assigned(market);
  await act(market, poster, gateway, 'flush', []);
  await posted(market);
}
