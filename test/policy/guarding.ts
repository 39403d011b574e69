// A guarded wallet over contracts that only have addresses, and what a caller may ask of it.

import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Hex } from 'viem';
import { localAddresses } from '#contracts/generated/addresses.ts';
import { toJsonTypedData } from '#sdk/actions/action.ts';
import type { MarketContracts } from '#sdk/chain/contracts.ts';
import { type EncodedCalls, encodeCall } from '#sdk/chain/encodeCall.ts';
import type { Address } from '#sdk/domain/address.ts';
import type { Market } from '#sdk/domain/market.ts';
import { marketParameters } from '#sdk/domain/parameters.ts';
import type { Task } from '#sdk/domain/task.ts';
import { buildTermsTypedData, type TaskTerms } from '#sdk/domain/terms.ts';
import type { CreateRequest } from '#sdk/schemas/walletRequest.ts';
import { createLedger } from '#service/policy/decisionLog.ts';
import { createPolicyGuard } from '#service/policy/guard.ts';
import type { Policy } from '#service/policy/policyFile.ts';
import type { SpendingAccess } from '#service/policy/readCalls.ts';
import type { SavedRequest } from '#service/wallet/requestFile.ts';
import type { WalletAnswer } from '#service/wallet/walletInterface.ts';
import { createFolder } from '../support/svc.ts';
import { authorizationTypes } from '../support/x402.ts';

export const addressAt = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`;
const { tokToken, usdc: usdcAddress, markets } = localAddresses;
const shared = { tokToken, usdc: usdcAddress, tokPool: addressAt(0x1002), swapRouter: addressAt(0x1003) };
export const contracts = {
  standard: { ...markets.standard, ...shared },
  micro: { ...markets.micro, ...shared },
} as unknown as Record<Market, MarketContracts>;
export const { standard } = contracts;
export const [from, other] = [addressAt(0xa1), addressAt(0xb2)];
export const tok = (amount: number) => BigInt(amount) * 10n ** 18n;
export const usdc = (amount: number) => BigInt(amount) * 10n ** 6n;
export const fee = marketParameters.standard.accessFeeTokWei;
export const bond = marketParameters.standard.bondUsdc;

const task = {
  market: 'standard',
  number: 1n,
  poster: from,
  worker: other,
  state: 'CLAIMED',
  totalAmount: tok(500),
  milestones: [tok(500)],
  milestone: 0,
  settlementDigest: `0x${'d1'.repeat(32)}`,
  funded: 0n,
  released: 0n,
  refunded: 0n,
  fees: 0n,
  dispute: null,
} as unknown as Task;

export const access = {
  chainId: 8453,
  contracts,
  reads: {
    readFigures: async (market: Market) => marketParameters[market] as never,
    readTask: async (_: Market, number: bigint) => (number === 1n ? task : null),
  },
};

const none = `0x${'0'.repeat(64)}` as const;
export const terms: TaskTerms = {
  poster: from,
  worker: other,
  totalAmount: tok(900),
  milestonesHash: none,
  criteriaHash: none,
  deadline: 9n,
  reviewPeriod: 9,
  scope: 'private',
  salt: none,
  acceptBy: 9n,
};

const limit = { tok: tok(2_000), usdc: usdc(50) };
export const policy: Policy = {
  mode: 'enforce',
  markets: ['standard', 'micro'],
  actions: { 'fund-task': {}, 'post-task': {}, 'top-up': {}, 'create-task': {}, 'send-message': {} },
  perAction: limit,
  perDay: limit,
  perCounterparty: limit,
  maxTaskTok: tok(1_000),
};

export const callsOf = ({ calls, steps }: EncodedCalls): CreateRequest => ({
  kind: 'calls',
  action: 'said by the model',
  summary: 'nothing much',
  chainId: 8453,
  from,
  calls: [...calls],
  steps: [...steps],
});
export const signatureOf = (typedData: unknown): CreateRequest => ({
  kind: 'signature',
  action: 'said by the model',
  summary: 'nothing much',
  chainId: 8453,
  from,
  typedData: toJsonTypedData(typedData),
});
/** Where the terms are those of the market. */
export const place = { chainId: 8453, registry: standard.taskRegistry };
/** A signature under these terms. */
export const agreeTo = (changed: Partial<TaskTerms> = {}) =>
  signatureOf(buildTermsTypedData({ ...terms, ...changed }, place));
export const fund = (amount: bigint, number = 1n) =>
  encodeCall(standard, 'TaskRegistry', 'fundTask', [number, amount]);
export const raw = (to: Address, data: Hex, value = '0x0'): CreateRequest => ({
  ...callsOf({ calls: [], steps: [] }),
  kind: 'calls',
  calls: [{ to, data, value: value as '0x0' }],
  steps: [],
});

type Saved = Map<string, SavedRequest>;

/** `saved` outlives a restart, as the file of requests does. */
export function start(
  changed: Partial<Policy> = {},
  path?: string,
  now?: () => number,
  saved: Saved = new Map(),
  reads: Partial<SpendingAccess['reads']> = {},
) {
  const asked: CreateRequest[] = [];
  const ledger = createLedger(path, now);
  const guard = createPolicyGuard({
    policy: { ...policy, ...changed },
    ledger,
    access: { ...access, reads: { ...access.reads, ...reads } },
    requests: { load: (id) => saved.get(id) },
    ownerWallet: {
      submit: async (request) => {
        asked.push(request);
        return { requestId: `owner-${asked.length}`, approvalUrl: 'http://gateway' } as WalletAnswer;
      },
    },
  });
  let count = 0;
  /** As a wallet does: the request is saved once it is admitted. */
  const submit = async (request: CreateRequest, status: SavedRequest['status'] | null = 'settled') => {
    const id = `key-${process.hrtime.bigint()}-${count++}`;
    const answer = await guard.admit({ id, wallet: 'key', request });
    if (answer === null && status !== null)
      saved.set(id, { id, wallet: 'key', status, request, signed: [{}] } as unknown as SavedRequest);
    return { id, answer };
  };
  const isSigned = async (request: CreateRequest) => (await submit(request)).answer === null;
  return { guard, ledger, saved, asked, submit, isSigned };
}

export const refused = { code: 'POLICY_REFUSED' };

export const createPath = (context: TestContext) => join(createFolder(context), 'policy.sqlite');

export const payment = (value: bigint, changed: Record<string, unknown> = {}, validBefore = 9n) =>
  signatureOf({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: standard.usdc, ...changed },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: { from, to: other, value, validAfter: 0n, validBefore, nonce: `0x${'1'.repeat(64)}` },
  });
