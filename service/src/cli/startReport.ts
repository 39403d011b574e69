// What `svc start` tells whoever started it: for people, and as one line of JSON for programs.
import { chainIdentity } from '@svc/sdk/chain';
import { markets } from '@svc/sdk/domain';
import { stringify } from 'viem';
import { accounts, mnemonic } from '#devnet/accounts.ts';
import { multicall3Address } from '#devnet/canonical.ts';
import type { Devnet } from '#devnet/devnet.ts';

export const keyWarning =
  'These keys are public: everybody knows them. Never send real money to these accounts on any chain.';

export type Servers = { readonly siteUrl: string; readonly gatewayUrl: string };

export function describeStart(devnet: Devnet, { siteUrl, gatewayUrl }: Servers): string {
  const { rpcUrl, wsUrl, deployment, clock } = devnet;
  const { chainId, tokToken, usdc, usdOracle, priceFeed, marketLens } = deployment;
  const offset = clock.offsetSeconds();
  return [
    'The market is ready.',
    '',
    ...alignPairs({
      Pages: gatewayUrl,
      API: `${siteUrl}/api/market/open`,
      Gateway: gatewayUrl,
      'JSON-RPC': rpcUrl,
      WebSocket: wsUrl,
      'Chain id': String(chainId),
      Identity: chainIdentity(deployment),
      ...(offset > 0 && { 'Clock offset': `${offset} seconds ahead of this machine` }),
    }),
    '',
    'Contracts, shared',
    ...alignPairs({ tokToken, usdc, usdOracle, priceFeed, marketLens, multicall3: multicall3Address }),
    ...markets.flatMap((market) => {
      const { parameters: _, ...addresses } = deployment.markets[market];
      return ['', `Contracts, market ${market}`, ...alignPairs(addresses)];
    }),
    '',
    `Accounts, each with 10,000 ETH (mnemonic "${mnemonic}")`,
    ...accounts.flatMap(({ name, part, address, privateKey }) => [
      `  ${name.padEnd(10)}${address}  ${part}`,
      `  ${' '.repeat(10)}${privateKey}`,
    ]),
    '',
    `  ${keyWarning}`,
    '',
    'Ctrl-C ends the chain, and everything on it is gone.',
  ].join('\n');
}

export function formatStart({ rpcUrl, wsUrl, deployment, clock }: Devnet, servers: Servers): string {
  const report = {
    ...servers,
    rpcUrl,
    wsUrl,
    chainIdentity: chainIdentity(deployment),
    clockOffsetSeconds: clock.offsetSeconds(),
    deployment: { ...deployment, multicall3: multicall3Address },
    accounts,
    warning: keyWarning,
  };
  return stringify(report);
}

function alignPairs(pairs: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(pairs).map((name) => name.length));
  return Object.entries(pairs).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
}
