// The EVM of the embedded chain: EDR, the engine of Hardhat, on threads of this process.
//
// EDR is used without Hardhat: it starts twenty times faster, reads no project configuration and sends no telemetry.
// It is loaded when a chain starts, because an installation without an embedded chain may leave it out.

import { randomBytes } from 'node:crypto';
import type { EdrContext } from '@nomicfoundation/edr';
import { type Hex, hexToBytes } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import type { Account } from './accounts.ts';

type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };
type RpcAnswer = { readonly result: unknown } | { readonly error: RpcError };

export type Notification = { readonly subscription: string; readonly result: unknown };

export type Evm = {
  /** Returns `{"result":…}` or `{"error":…}` as text, so that a server can pass it on without parsing it. */
  readonly ask: (method: string, params: unknown) => Promise<string>;
  /** Returns the result or throws the error, as an EIP-1193 provider does. */
  readonly request: (call: { readonly method: string; readonly params?: unknown }) => Promise<unknown>;
  /** Receives the notifications of `eth_subscribe`; returns a function that removes the listener. */
  readonly onNotification: (listener: (notification: Notification) => void) => () => void;
};

type EvmOptions = {
  readonly chainId: number;
  /** Time of the genesis block in Unix seconds. The chain's clock continues from there. */
  readonly genesisTime: number;
  /** Default: a random one. */
  readonly beaconRoot?: Hex;
  readonly accounts: readonly Account[];
};

const blockGasLimit = 60_000_000n;

type Engine = typeof import('@nomicfoundation/edr') & { readonly context: EdrContext };
/** EDR allows one context per process, for any number of chains. */
let engine: Promise<Engine> | undefined;

/** Mines a block for each transaction. Empty blocks start when an interval is set. */
export async function createEvm({ chainId, genesisTime, beaconRoot, accounts }: EvmOptions): Promise<Evm> {
  const listeners = new Set<(notification: Notification) => void>();
  engine ??= loadEngine();
  const { context, ...edr } = await engine;
  const { L1_CHAIN_TYPE, l1GenesisState, l1HardforkFromString, MineOrdering, PRAGUE } = edr;
  const provider = await context.createProvider(
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
      // Unused otherwise: makes the genesis hash of each chain unique.
      initialParentBeaconBlockRoot: beaconRoot === undefined ? randomBytes(32) : hexToBytes(beaconRoot),
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
    new edr.ContractDecoder(),
  );

  const ask: Evm['ask'] = async (method, params) => {
    const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    // EDR returns an object when the text would exceed the maximum length of a string.
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    return text.startsWith('{"error"') ? JSON.stringify(tidyError(JSON.parse(text).error)) : text;
  };
  return {
    ask,
    request: createRequest(ask),
    onNotification: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function createRequest(ask: Evm['ask']): Evm['request'] {
  return async ({ method, params = [] }) => {
    const answer = JSON.parse(await ask(method, params)) as RpcAnswer;
    if ('result' in answer) return answer.result;
    throw Object.assign(new Error(answer.error.message), answer.error);
  };
}

async function loadEngine(): Promise<Engine> {
  const edr = await import('@nomicfoundation/edr').catch((cause: unknown) => {
    throw new OperatorError('CHAIN_ENGINE_MISSING', {}, cause);
  });
  const context = new edr.EdrContext();
  await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory());
  return { ...edr, context };
}

function fundWithEther({ address }: Account) {
  return { address: hexToBytes(address), balance: 10_000n * 10n ** 18n };
}

/** Formats a revert as the nodes of real chains do, so that clients can decode it. Other errors carry no data. */
function tidyError({ code, message, data }: RpcError): { readonly error: RpcError } {
  const returned = (data as { readonly data?: unknown } | null)?.data;
  if (typeof returned === 'string')
    return { error: { code: 3, message: 'execution reverted', data: returned } };
  return { error: { code, message } };
}
