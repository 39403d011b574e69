// Three wallets on a running chain (poster, worker, arbitrator), each with its own key, and the contracts they call.
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  type PublicClient,
  type TransactionReceipt,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type Deployment, parseDeployment } from '#sdk/chain/deployment.ts';
import type { Address } from '#sdk/domain/address.ts';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import type { Market } from '#sdk/domain/market.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { base } from './baseChain.ts';
import { contractsOf } from './marketReader.ts';

type Contract<Interface extends Abi> = { readonly address: Address; readonly abi: Interface };

export type Party = {
  readonly name: AccountName;
  readonly address: Address;
  readonly account: PrivateKeyAccount;
  /** Sends a transaction and waits for its receipt. A call that would revert fails before it is sent. */
  readonly write: <const Interface extends Abi, Name extends ContractFunctionName<Interface, 'nonpayable'>>(
    contract: Contract<Interface>,
    functionName: Name,
    args: ContractFunctionArgs<Interface, 'nonpayable', Name>,
  ) => Promise<TransactionReceipt>;
  /** Ether that this wallet has paid for gas so far. */
  readonly gasPaidWei: () => bigint;
};

export type Cast = {
  readonly client: PublicClient;
  readonly deployment: Deployment;
  readonly market: Market;
  readonly contracts: ReturnType<typeof contractsOf>;
  readonly poster: Party;
  readonly worker: Party;
  readonly arbitrator: Party;
};

/** Arbitrators with a bond in the seeded market. */
const arbitrators: Readonly<Record<Market, AccountName>> = { standard: 'umpire', micro: 'assessor' };

export async function createCast(rpcUrl: string, market: Market): Promise<Cast> {
  const transport = http(rpcUrl);
  const client = createPublicClient({ chain: base, transport, cacheTime: 0, pollingInterval: 50 });
  const deployment = parseDeployment(
    JSON.stringify(await client.request({ method: 'svc_deployment' as 'eth_chainId' })),
  );
  const createPartyOf = (name: AccountName) => createParty(client as PublicClient, rpcUrl, name);
  return {
    client: client as PublicClient,
    deployment,
    market,
    contracts: contractsOf(deployment, market),
    poster: createPartyOf('newcomer'),
    worker: createPartyOf('visitor'),
    arbitrator: createPartyOf(arbitrators[market]),
  };
}

/** As the wallet of an account does once its owner has agreed: one call after the other. */
export async function sendCalls(
  rpcUrl: string,
  name: AccountName,
  calls: readonly { readonly to: Address; readonly data: Hex; readonly value: Hex }[],
): Promise<void> {
  const account = privateKeyToAccount(accountOf(name).privateKey);
  const transport = http(rpcUrl);
  const wallet = createWalletClient({ account, chain: base, transport });
  const client = createPublicClient({ chain: base, transport, cacheTime: 0, pollingInterval: 50 });
  for (const { to, data, value } of calls) {
    const hash = await wallet.sendTransaction({ to, data, value: BigInt(value) });
    await client.waitForTransactionReceipt({ hash });
  }
}

const collateral = parseUsdc('45');

/** Gives poster and worker the allowances and the collateral that they lack. */
export async function enter({ client, contracts, poster, worker }: Cast): Promise<void> {
  const { tok, usdc, deposits, gateway } = contracts;
  for (const party of [poster, worker]) {
    const args = [party.address] as const;
    const [account] = await client.readContract({ ...deposits, functionName: 'accountOf', args });
    await party.write(tok, 'approve', [gateway.address, parseTok('100000')]);
    if (account.balance >= collateral) continue;
    await party.write(usdc, 'approve', [deposits.address, collateral - account.balance]);
    await party.write(deposits, 'topUp', [collateral - account.balance]);
  }
}

export function createParty(client: PublicClient, rpcUrl: string, name: AccountName): Party {
  const account = privateKeyToAccount(accountOf(name).privateKey);
  const wallet = createWalletClient({ account, chain: base, transport: http(rpcUrl) });
  let gasPaidWei = 0n;
  return {
    name,
    address: account.address,
    account,
    write: async (contract, functionName, args) => {
      const call = { ...contract, functionName, args, account } as const;
      // An estimate holds for one second: writing a new timestamp costs more gas than keeping one.
      const gas = ((await client.estimateContractGas(call as never)) * 12n) / 10n;
      const hash: Hex = await wallet.writeContract({ ...call, gas } as never);
      const receipt = await client.waitForTransactionReceipt({ hash });
      gasPaidWei += receipt.gasUsed * receipt.effectiveGasPrice;
      if (receipt.status !== 'success') throw new Error(`${functionName} was reverted.`);
      return receipt;
    },
    gasPaidWei: () => gasPaidWei,
  };
}
