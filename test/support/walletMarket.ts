// A market as `svc start` runs it, and the svc command of somebody who uses it.

import type { Hex } from 'viem';
import { createActionReads } from '#sdk/actions/reads.ts';
import { contractsOfBoth } from '#sdk/chain/contracts.ts';
import { createRpc } from '#sdk/chain/rpc.ts';
import type { Address } from '#sdk/domain/address.ts';
import type { CreateRequest } from '#sdk/schemas/walletRequest.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { createKeyWallet } from '#service/wallet/keyWallet.ts';
import { createRequestFile } from '#service/wallet/requestFile.ts';
import { type StartReport, startChain } from './devnet.ts';
import { runSvc, startSvc, svcScript } from './svc.ts';

export type WalletMarket = Awaited<ReturnType<typeof startWalletMarket>>;

export async function startWalletMarket(folder: string) {
  const chain = await startChain('--no-seed');
  const { rpcUrl, siteUrl, gatewayUrl } = chain.report as StartReport & {
    readonly siteUrl: string;
    readonly gatewayUrl: string;
  };
  const { deployment } = chain;
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({ urls: [rpcUrl], chainId, genesisHash });
  const contracts = contractsOfBoth(deployment);
  const env = { SVC_SITE_URL: siteUrl, SVC_GATEWAY_URL: gatewayUrl };
  const placed = (more: Readonly<Record<string, string>> = {}) => ({ cwd: folder, env: { ...env, ...more } });
  const reads = createActionReads(rpc, contracts);
  return {
    rpcUrl,
    siteUrl,
    gatewayUrl,
    rpc,
    contracts,
    deployment,
    /** As a process, which can be killed, or race with others. */
    start: (args: readonly string[], more?: Readonly<Record<string, string>>) => startSvc(args, placed(more)),
    run: (args: readonly string[], more?: Readonly<Record<string, string>>) => runSvc(args, placed(more)),
    /** The command of a wallet tool server that signs as this account. */
    walletServer: (who: AccountName) =>
      `env SVC_SITE_URL=${siteUrl} ${process.execPath} ${svcScript} wallet-mcp ${who}`,
    /** What the owner of an account does with a request that is shown to it. */
    ownerOf: (who: AccountName) =>
      createKeyWallet({
        privateKey: accountOf(who).privateKey,
        rpc,
        chainId: 8_453,
        chain: genesisHash,
        requests: createRequestFile(),
      }),
    depositOf: async (who: AccountName) =>
      (await reads.readWallet('standard', accountOf(who).address)).deposit.balance,
    close: async () => {
      rpc.close();
      await chain.stop();
    },
  };
}

/** Calls as a tool hands them to a wallet; of empty ones to itself unless others are given. */
export function requestOf(from: Address, ...calls: readonly { to?: Address; data?: Hex }[]): CreateRequest {
  const head = { kind: 'calls', action: 'x', summary: 'x', chainId: 8453, from } as const;
  const asked = calls.length === 0 ? [{}] : calls;
  return {
    ...head,
    steps: [],
    calls: asked.map((call) => ({ to: from, value: '0x0', data: '0x', ...call })),
  };
}
