// What a signature commits a wallet to. The typed data is built again from what its message says, and only typed data with
// the same hash is signed: nothing in it can mean something else than what was judged.
import { catalog } from '@svc/sdk/actions';
import {
  type Address,
  buildSettlementTypedData,
  buildTermsTypedData,
  disputePhases,
  isSameAddress,
  type MutualSettlement,
  markets,
  parseAddress,
  protocolConstants,
  type TaskTerms,
  taskStates,
} from '@svc/sdk/domain';
import { buildSessionTypedData } from '@svc/sdk/internal/domain/sessionDocument';
import { buildListingTypedData, buildProfileTypedData } from '@svc/sdk/internal/domain/signedDocuments';
import { nameOf, scopes } from '@svc/sdk/internal/domain/state';
import { buildEnvelopeTypedData, type Envelope } from '@svc/sdk/negotiation';
import { type Hex, hashTypedData, type TypedDataDefinition } from 'viem';
import { buildUsdcPaymentTypedData } from '../contract/usdcPayment.ts';
import { noSpending, type Spending } from './judge.ts';
import { refuse, type SpendingAccess, shareOf, sumCosts } from './readCalls.ts';

type Signing = SpendingAccess & { readonly from: Address };
type TypedData = {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
};
/** What the typed data would be if it were what it says, and what signing that costs. */
type Reading = { readonly rebuilt: unknown; readonly spendings: readonly Spending[] };
type Reader = (typedData: TypedData, signing: Signing) => Reading | Promise<Reading>;

/** What moves no money. */
const free = (action: Spending['action']): readonly Spending[] => [{ ...noSpending, action }];

function requireOwn(wallet: unknown, from: Address, what: string): void {
  if (!isSameAddress(parseAddress(wallet), from)) throw refuse(`${what} of another wallet`);
}

const readers: Readonly<Record<string, Reader>> = {
  TaskTerms: readTerms,
  MutualSettlement: readSettlement,
  NegotiationEnvelope: ({ message }) => ({
    rebuilt: buildEnvelopeTypedData(
      { negotiationId: String(message.negotiationId), sequence: Number(message.sequence) } as Envelope,
      message.hash as Hex,
    ),
    spendings: free('send-message'),
  }),
  Session: ({ message }, { chainId, from }) => {
    requireOwn(message.wallet, from, 'the session is');
    const document = {
      wallet: from,
      gateway: String(message.gateway),
      nonce: message.nonce as Hex,
      validUntil: Number(message.validUntil),
    };
    return { rebuilt: buildSessionTypedData(chainId, document), spendings: free('open-session') };
  },
  Profile: ({ message }, { chainId, from }) => {
    requireOwn(message.account, from, 'the profile is');
    const profile = { account: from, document: message.document as Hex, version: Number(message.version) };
    return { rebuilt: buildProfileTypedData(chainId, profile), spendings: free('publish-profile') };
  },
  Listing: ({ domain, message }, signing) => {
    const { from } = signing;
    requireOwn(message.poster, from, 'the listing is');
    const { market, place } = findRegistry(domain, signing);
    const listing = {
      id: message.id as Hex,
      poster: from,
      document: message.document as Hex,
      version: Number(message.version),
      expiresAt: Number(message.expiresAt),
    };
    return {
      rebuilt: buildListingTypedData(place, listing),
      spendings: [{ ...noSpending, action: 'publish-listing', market }],
    };
  },
  TransferWithAuthorization: readPayment,
};

/** Throws POLICY_REFUSED for typed data of any other kind, such as permits. */
export async function readSignature(
  given: Readonly<Record<string, unknown>>,
  signing: Signing,
): Promise<readonly Spending[]> {
  const typedData = given as TypedData;
  const kind = String(typedData.primaryType);
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  if (read === undefined) throw refuse(`it is typed data of an unknown kind, ${kind.slice(0, 40)}`);
  let reading: Reading;
  try {
    reading = await read(typedData, signing);
    if (hashOf(given) !== hashOf(reading.rebuilt)) throw refuse(`the ${kind} is not as the market makes it`);
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error;
    throw refuse(`the ${kind} cannot be read`);
  }
  return reading.spendings;
}

function hashOf(typedData: unknown): Hex {
  return hashTypedData(typedData as TypedDataDefinition);
}

/** As the poster the whole task, its fee and bond; as the worker fee and bond. */
async function readTerms({ domain, message }: TypedData, signing: Signing): Promise<Reading> {
  const { from, reads } = signing;
  const { market, place } = findRegistry(domain, signing);
  const terms: TaskTerms = {
    poster: parseAddress(message.poster),
    worker: parseAddress(message.worker),
    totalAmount: BigInt(message.totalAmount as string),
    milestonesHash: message.milestonesHash as Hex,
    criteriaHash: message.criteriaHash as Hex,
    deadline: BigInt(message.deadline as string),
    reviewPeriod: Number(message.reviewPeriod),
    scope: nameOf(scopes, Number(message.scope)),
    salt: message.salt as Hex,
    acceptBy: BigInt(message.acceptBy as string),
  };
  const { isPoster, counterparty } = readParties(terms, from, 'terms');
  const rebuilt = buildTermsTypedData(terms, place);
  // The contracts accept them until then, so they count until then.
  const acceptBy = Number(terms.acceptBy);
  const now = (await reads.readNow?.()) ?? acceptBy;
  if (acceptBy > now + protocolConstants.maxAcceptanceSeconds)
    throw refuse('the terms could be used for longer than the contracts allow');
  const figures = await reads.readFigures(market);
  const amount = isPoster ? terms.totalAmount : 0n;
  const spending: Spending = {
    action: catalog.createTask.name,
    market,
    counterparty,
    digest: hashOf(rebuilt),
    source: 'agreed',
    ...sumCosts(catalog.createTask.costs?.({ figures, amount }) ?? []),
    taskTok: isPoster ? terms.totalAmount : null,
    terms: { poster: terms.poster, worker: terms.worker, salt: terms.salt, acceptBy },
  };
  return { rebuilt, spendings: [spending] };
}

/** What the poster gives away of escrow. */
async function readSettlement({ domain, message }: TypedData, signing: Signing): Promise<Reading> {
  const { from, reads } = signing;
  const { market, place } = findRegistry(domain, signing);
  const settlement: MutualSettlement = {
    taskId: BigInt(message.taskId as string),
    poster: parseAddress(message.poster),
    worker: parseAddress(message.worker),
    round: Number(message.round),
    milestone: Number(message.milestone),
    state: nameOf(taskStates, Number(message.state)) as MutualSettlement['state'],
    updatedAt: BigInt(message.updatedAt as string),
    held: BigInt(message.held as string),
    phase: nameOf(disputePhases, Number(message.phase)),
    workerBps: Number(message.workerBps),
    validUntil: BigInt(message.validUntil as string),
  };
  const { isPoster, counterparty } = readParties(settlement, from, 'settlement');
  const rebuilt = buildSettlementTypedData(settlement, place);
  const task = await reads.readTask(market, settlement.taskId);
  const spending: Spending = {
    ...noSpending,
    action: catalog.mutualSettle.name,
    market,
    counterparty,
    digest: task?.settlementDigest?.toLowerCase() ?? null,
    source: 'payout',
    tok: isPoster ? shareOf(settlement.held, settlement.workerBps) : 0n,
  };
  return { rebuilt, spendings: [spending] };
}

/** It counts from when it is signed, so it may not be kept to be taken with those of the next day. */
const longestPaymentSeconds = 3_600;

/** A payment in USDC, as x402 asks for it (ERC-3009). */
async function readPayment(
  { domain, message }: TypedData,
  { chainId, contracts, from, reads }: Signing,
): Promise<Reading> {
  const { usdc } = contracts.standard;
  const validBefore = BigInt(message.validBefore as string);
  const now = await reads.readNow?.();
  if (now !== undefined && validBefore > now + longestPaymentSeconds)
    throw refuse('the payment could be taken for longer than an hour');
  if (!isSameAddress(parseAddress(domain.verifyingContract), usdc)) throw refuse('it pays in another token');
  if (!isSameAddress(parseAddress(message.from), from)) throw refuse('it pays from another wallet');
  const to = parseAddress(message.to);
  const value = BigInt(message.value as string);
  const rebuilt = buildUsdcPaymentTypedData(
    { name: String(domain.name), version: String(domain.version), chainId, verifyingContract: usdc },
    {
      from,
      to,
      value,
      validAfter: BigInt(message.validAfter as string),
      validBefore,
      nonce: message.nonce as Hex,
    },
  );
  const head = { ...noSpending, action: 'x402-payment', counterparty: to };
  return { rebuilt, spendings: [{ ...head, source: 'agreed', usdc: value }] };
}

function readParties(
  { poster, worker }: Pick<TaskTerms, 'poster' | 'worker'>,
  from: Address,
  what: string,
): { readonly isPoster: boolean; readonly counterparty: Address } {
  const isPoster = isSameAddress(poster, from);
  if (!isPoster && !isSameAddress(worker, from))
    throw refuse(`the wallet is neither poster nor worker of the ${what}`);
  return { isPoster, counterparty: isPoster ? worker : poster };
}

function findRegistry({ verifyingContract }: TypedData['domain'], { chainId, contracts }: Signing) {
  const registry = parseAddress(verifyingContract);
  const market = markets.find((one) => isSameAddress(contracts[one].taskRegistry, registry));
  if (market === undefined) throw refuse(`${registry} is no registry of the market`);
  return { market, place: { chainId, registry: contracts[market].taskRegistry } };
}
