// A test wallet that batches (EIP-5792): its account gets the code of Multicall3 (EIP-7702), so that all calls of a batch
// run in its name in one transaction, or none of them.
import { encodeFunctionData, type Hex, multicall3Abi, numberToHex } from 'viem';
import { multicall3Address } from '#service/devnet/canonical.ts';
import { base } from './baseChain.ts';
import { createTestWallet } from './testWallet.ts';

type Call = { readonly to: Hex; readonly data: Hex };
type Asked = { readonly id: string; readonly calls: readonly Call[]; readonly atomicRequired: boolean };
type Status = { readonly status: number; readonly hash?: Hex };

export async function createBatchingWallet(name: string, privateKey: Hex, rpcUrl: string) {
  const plain = createTestWallet(name, privateKey, rpcUrl);
  const { account, reader, signer } = plain;
  await reader.request({ method: 'svc_fund', params: [account.address] } as never);
  const batches: Asked[] = [];
  const states = new Map<string, Status>();
  let signatures = 0;
  let failure: 400 | 500 | 600 | undefined;
  let isHeld = false;

  async function execute(calls: readonly Call[]): Promise<Hex> {
    const data = encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [calls.map(({ to, data: callData }) => ({ target: to, allowFailure: false, callData }))],
    });
    const authorization = await signer.signAuthorization({
      contractAddress: multicall3Address,
      executor: 'self',
    });
    return signer.sendTransaction({
      authorizationList: [authorization],
      to: account.address,
      data,
      gas: 3_000_000n,
    });
  }

  const own: Readonly<Record<string, (...params: never[]) => unknown>> = {
    wallet_getCapabilities: () => ({ [numberToHex(base.id)]: { atomic: { status: 'supported' } } }),
    wallet_sendCalls: async (asked: Asked) => {
      signatures += 1;
      batches.push(asked);
      const fails = failure;
      failure = undefined;
      if (fails === 400 || fails === 500) states.set(asked.id, { status: fails });
      else {
        const hash = await execute(fails === 600 ? asked.calls.slice(0, 1) : asked.calls);
        states.set(asked.id, { status: fails ?? 200, hash });
      }
      return { id: asked.id };
    },
    wallet_getCallsStatus: async (id: string) => {
      const state = states.get(id);
      if (state === undefined) throw Object.assign(new Error('Unknown bundle id.'), { code: 5730 });
      const head = { version: '2.0.0', id, chainId: numberToHex(base.id), atomic: true };
      if (isHeld) return { ...head, status: 100 };
      if (state.hash === undefined) return { ...head, status: state.status };
      const { logs, status, blockHash, blockNumber, gasUsed, transactionHash } =
        await reader.waitForTransactionReceipt({ hash: state.hash });
      const receipt = {
        logs: logs.map(({ address, data, topics }) => ({ address, data, topics })),
        status: status === 'success' ? '0x1' : '0x0',
        blockHash,
        blockNumber: numberToHex(blockNumber),
        gasUsed: numberToHex(gasUsed),
        transactionHash,
      };
      return { ...head, status: status === 'success' ? state.status : 500, receipts: [receipt] };
    },
  };
  return {
    ...plain,
    request: async (method: string, params: readonly never[]): Promise<unknown> => {
      if (method === 'eth_sendTransaction' || method === 'eth_signTypedData_v4') signatures += 1;
      return own[method] === undefined ? plain.request(method, params) : await own[method](...params);
    },
    signatures: () => signatures,
    batches: batches as readonly Asked[],
    /** The next batch: not sent (400), reverted (500), or, against the promise, executed in its first call only (600). */
    failNext: (status: 400 | 500 | 600) => {
      failure = status;
    },
    /** Reports every batch as pending until it is released. */
    holdStatus: () => {
      isHeld = true;
      return () => {
        isHeld = false;
      };
    },
  };
}
