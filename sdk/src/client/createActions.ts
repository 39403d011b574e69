// The actions of a market for programs: each is prepared, tried and sent by a wallet.
import type { MarketClient } from './createMarketClient.ts';
import { documentNames, type MarketActions, writeNames } from './marketActions.ts';
import { type ChainOptions, type Connected, connectActions, runAction } from './runAction.ts';

/**
 * Every action of the catalog, on the market that the client reads.
 *
 * @example
 * const actions = createActions(market);
 * await actions.claimTask({ taskId }).send(walletClient);
 */
export function createActions(market: MarketClient, chain: ChainOptions = {}): MarketActions {
  let connected: Promise<Connected> | undefined;
  const connect = () => {
    connected ??= connectActions(market, chain).catch((error: unknown) => {
      connected = undefined;
      throw error;
    });
    return connected;
  };
  const entries = [...writeNames, ...documentNames].map(
    (name) =>
      [name, (args: Readonly<Record<string, unknown>>) => runAction(name, args, connect, market)] as const,
  );
  return Object.fromEntries(entries) as unknown as MarketActions;
}
