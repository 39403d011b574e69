// Being an arbitrator: bonding, asking to leave, taking the bond out.
import { formatTok } from '#domain/amount.ts';
import { courtOf } from './court.ts';
import { type CallContracts, type EncodedCalls, encodeCall } from './encode.ts';

export type BondArguments = {
  /** Added to the bond; 0 to change `minHeldTokWei` alone. */
  readonly amountTokWei: bigint;
  /** The smallest disputed amount that this arbitrator takes. */
  readonly minHeldTokWei: bigint;
};

export function encodeRegisterArbitrator(contracts: CallContracts, bond: BondArguments): EncodedCalls {
  const { amountTokWei, minHeldTokWei } = bond;
  const summary = `Be an arbitrator: add ${formatTok(amountTokWei)} TOK to your bond`;
  return encodeCall(courtOf(contracts), 'registerArbitrator', [amountTokWei, minHeldTokWei], summary);
}

export function encodeUnbondArbitrator(contracts: CallContracts): EncodedCalls {
  const summary = 'Take no new disputes; the bond comes free 14 days later';
  return encodeCall(courtOf(contracts), 'requestUnbond', [], summary);
}

export function encodeWithdrawBond(contracts: CallContracts): EncodedCalls {
  return encodeCall(courtOf(contracts), 'withdrawBond', [], "Take your arbitrator's bond out");
}
