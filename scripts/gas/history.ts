// What happened on the market before anything is measured, so that no wallet and no counter is new.
import { parseEther } from 'viem';
import { day, type Market } from './market.ts';
import { accept, act, assigned, claimed, delivered, leave, post, posted, resolve, tokOf } from './steps.ts';

export const stakeAmount = parseEther('1000000');

export async function useBefore(market: Market): Promise<void> {
  const { chain, people, gateway, registry, court, staking } = market;
  const { poster, worker, arbitrator, staker } = people;

  const bond = parseEther('10000');
  await act(market, arbitrator, court, 'registerArbitrator', [bond, 0n], tokOf(market, arbitrator, bond));
  for (const from of [arbitrator, staker]) {
    await act(market, from, registry, 'cancelTask', [await posted(market, { from })]);
    await act(market, from, staking, 'stake', [stakeAmount], tokOf(market, from, stakeAmount));
  }
  // Time enough for credits that pay for several actions, and for the first fees to be split.
  chain.skip(40 * day);
  await accept(market, await delivered(market));
  await post(market, { from: staker, withCredits: true });
  await leave(market, await claimed(market));
  await resolve(market, await assigned(market, worker), 3_000);
  await act(market, staker, staking, 'claimReward', []);

  // Money of others stays in escrow and court, and fees since the last split in the gateway.
  await assigned(market);
  await act(market, poster, gateway, 'flush', []);
  await posted(market);
}
