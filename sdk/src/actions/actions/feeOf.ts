// What the access fee takes from a wallet in TOK: nothing where its Action Credits cover all of it.
import type { Address } from '#domain/address.ts';
import type { WriteContext } from '../action.ts';

export async function readFeeOf(
  { market, needs: { chain } }: Pick<WriteContext, 'market' | 'needs'>,
  payer: Address,
): Promise<bigint> {
  const [{ staking }, { accessFeeTokWei }] = await Promise.all([
    chain.readWallet(market, payer),
    chain.readFigures(market),
  ]);
  return staking.credits >= accessFeeTokWei ? 0n : accessFeeTokWei;
}
