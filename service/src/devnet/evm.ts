// The EVM of the embedded chain: EDR, the engine below Hardhat, in this process and on threads of its own.
//
// Taken without Hardhat around it, it is there in a twentieth of the time, reads no project configuration and sends
// no telemetry.
import { randomBytes } from 'node:crypto';
import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  PRAGUE,
} from '@nomicfoundation/edr';
import { hexToBytes } from 'viem';
import type { Account } from './accounts.ts';

type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };
type RpcAnswer = { readonly result: unknown } | { readonly error: RpcError };

export type Notification = { readonly subscription: string; readonly result: unknown };

export type Evm = {
  /** Answers `{"result":…}` or `{"error":…}` as text, so that a server need not parse what it only passes on. */
  readonly ask: (method: string, params: unknown) => Promise<string>;
  /** Answers the result and throws the error, as an EIP-1193 provider does. */
  readonly request: (call: { method: string; params?: unknown }) => Promise<unknown>;
  /** Hears what `eth_subscribe` promised; answers the way to stop hearing it. */
  readonly onNotification: (listener: (notification: Notification) => void) => () => void;
};

export type EvmOptions = {
  readonly chainId: number;
  /** Time of the genesis block in Unix seconds; the chain's clock runs on from there. */
  readonly genesisTime: number;
  readonly accounts: readonly Account[];
};

const blockGasLimit = 60_000_000n;

/** EDR wants one for the whole process, however many chains it runs. */
let context: Promise<EdrContext> | undefined;

/** Mines a block at once for each transaction; blocks in between come only once an interval is set. */
export async function createEvm({ chainId, genesisTime, accounts }: EvmOptions): Promise<Evm> {
  const listeners = new Set<(notification: Notification) => void>();
  context ??= createContext();
  const provider = await (await context).createProvider(
    L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      // As on a real chain, a failed transaction is mined and its receipt says so.
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      networkId: BigInt(chainId),
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: blockGasLimit,
      genesisState: [...l1GenesisState(l1HardforkFromString(PRAGUE)), ...accounts.map(fundWithEther)],
      hardfork: PRAGUE,
      initialBaseFeePerGas: 1_000_000n,
      // The one field of the genesis block that means nothing here: it makes the genesis hash of each start unique.
      initialParentBeaconBlockRoot: randomBytes(32),
      minGasPrice: 0n,
      mining: { autoMine: true, blockGasLimit, memPool: { order: MineOrdering.Priority } },
      network: { genesisBlockGasLimit: blockGasLimit, genesisBlockTime: BigInt(genesisTime) },
      observability: {},
      ownedAccounts: accounts.map(({ privateKey }) => privateKey),
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    {
      subscriptionCallback: ({ filterId, result }) => {
        const notification = { subscription: `0x${filterId.toString(16)}`, result };
        for (const listener of listeners) listener(notification);
      },
    },
    new ContractDecoder(),
  );

  const ask: Evm['ask'] = async (method, params) => {
    const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    // EDR hands over an object where the text would be longer than a string can be.
    const answer = typeof data === 'string' ? data : JSON.stringify(data);
    return answer.startsWith('{"error"') ? JSON.stringify(tidyError(JSON.parse(answer).error)) : answer;
  };
  return {
    ask,
    request: async ({ method, params = [] }) => {
      const answer = JSON.parse(await ask(method, params)) as RpcAnswer;
      if ('result' in answer) return answer.result;
      throw Object.assign(new Error(answer.error.message), answer.error);
    },
    onNotification: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function createContext(): Promise<EdrContext> {
  const created = new EdrContext();
  await created.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  return created;
}

function fundWithEther({ address }: Account) {
  return { address: hexToBytes(address), balance: 10_000n * 10n ** 18n };
}

/** A revert as the nodes of real chains report it, which is what clients decode; nothing else carries data. */
function tidyError({ code, message, data }: RpcError): { readonly error: RpcError } {
  const returned = (data as { readonly data?: unknown } | null)?.data;
  if (typeof returned === 'string')
    return { error: { code: 3, message: 'execution reverted', data: returned } };
  return { error: { code, message } };
}
