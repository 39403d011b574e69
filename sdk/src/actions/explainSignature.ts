// Explains typed data from its own fields: what a signature lets others do with the signer's money.
import { type Address, addressKey, isAddress, isSameAddress, parseAddress } from '../domain/address.ts';
import { formatUsdc } from '../domain/amount.ts';
import { type Market, markets } from '../domain/market.ts';
import type { WriteAction } from './action.ts';
import type { CallAccess, KnownContracts } from './callFacts.ts';
import { catalog } from './catalog.ts';
import { type Allowance, unlimited } from './explainCalls.ts';
import { accountOf, listMovements, type Movement, move, type Roles } from './movements.ts';
import type { Deal } from './netResult.ts';

export type ExplainedSignature = {
  /** The action that the signature is for; null where it is none of the market. */
  readonly action: WriteAction | null;
  /** Whose roles the movements name. */
  readonly task: Roles | null;
  readonly movements: readonly Movement[];
  readonly allowance: Allowance | null;
  /** Of terms: what the signer would get or pay. */
  readonly deal: Deal | null;
  /** When the money moves. */
  readonly when: string | null;
  /** Why nobody should sign it unread, in plain words. */
  readonly dangers: readonly string[];
};

type TypedData = {
  readonly domain?: Readonly<Record<string, unknown>>;
  readonly primaryType?: unknown;
  readonly message?: Readonly<Record<string, unknown>>;
};

/** What the market has signed besides terms and payments: the name of its domain, and what it does. None of it moves money. */
const documents: Readonly<Record<string, { readonly domain: string; readonly when: string }>> = {
  Session: {
    domain: 'svc gateway',
    when: 'No money moves. Until it runs out, the program that asks can read and send messages and upload files at the gateway for this wallet.',
  },
  NegotiationEnvelope: {
    domain: 'svc negotiation',
    when: 'No money moves. It proves that one message is from this wallet.',
  },
  Profile: { domain: 'svc profile', when: 'No money moves. Everybody can read the profile of this wallet.' },
  Listing: { domain: 'svc listing', when: 'No money moves. Everybody can read the listing of this wallet.' },
};

/** Typed data that names a contract of another chain or of nobody we know is dangerous whatever it says. */
export async function explainSignature(
  typedData: Readonly<Record<string, unknown>>,
  from: Address,
  access: CallAccess,
): Promise<ExplainedSignature> {
  const { domain = {}, primaryType, message = {} } = typedData as TypedData;
  const none = {
    action: null,
    task: null,
    movements: [],
    allowance: null,
    deal: null,
    when: null,
    dangers: [],
  };
  const target = isAddress(domain.verifyingContract) ? domain.verifyingContract : null;
  const isHere = Number(domain.chainId) === access.chainId;
  const place = target === null || !isHere ? null : findPlace(target, access.contracts);
  const dangerous = (danger: string) => ({ ...none, dangers: [danger] });
  try {
    if (place?.key === 'taskRegistry' && primaryType === 'TaskTerms')
      return { ...none, ...(await explainTerms(message, from, place.market, access)) };
    if (place?.key === 'taskRegistry' && primaryType === 'MutualSettlement')
      return { ...none, ...explainSettlement(message, from) };
    if (place?.key === 'usdc' && /^(Transfer|Receive)WithAuthorization$/.test(String(primaryType)))
      return { ...none, ...explainPayment(message) };
    if ((place?.key === 'usdc' || place?.key === 'tokToken') && primaryType === 'Permit')
      return { ...none, ...explainPermit(message, place.key === 'usdc' ? 'USDC' : 'TOK') };
  } catch {
    return dangerous('Nobody can say what this signature allows: its fields cannot be read.');
  }
  const kind = String(primaryType);
  const document = Object.hasOwn(documents, kind) ? documents[kind] : undefined;
  const isPlaced =
    kind === 'Listing'
      ? place?.key === 'taskRegistry'
      : domain.verifyingContract === undefined && (domain.chainId === undefined || isHere);
  if (isPlaced && document !== undefined && document.domain === domain.name)
    return { ...none, when: document.when };
  return dangerous('This is not for a contract of the market. What the signature allows is unknown.');
}

function findPlace(address: Address, contracts: KnownContracts) {
  for (const market of markets)
    for (const key of ['taskRegistry', 'usdc', 'tokToken'] as const) {
      const own = contracts[market]?.[key];
      if (own !== undefined && addressKey(own) === addressKey(address)) return { market, key };
    }
  return null;
}

type Fields = Readonly<Record<string, unknown>>;

async function explainTerms(fields: Fields, from: Address, market: Market, { reads }: CallAccess) {
  const parties = { poster: parseAddress(fields.poster), worker: parseAddress(fields.worker) };
  const isPoster = isSameAddress(parties.poster, from);
  const total = BigInt(fields.totalAmount as string);
  const figures = await reads.readFigures(market);
  const facts = { figures, parties, sender: from, amount: isPoster ? total : 0n };
  const worker = accountOf('wallet', parties.worker);
  const reward = move('TOK', total, { place: 'escrow' }, worker, 'if all is accepted');
  return {
    action: catalog.createTask as WriteAction,
    task: parties,
    movements: [...listMovements(catalog.createTask, facts), reward],
    deal: { as: isPoster ? ('poster' as const) : ('worker' as const), payTokWei: total },
    when: 'Nothing moves by the signature alone. The other party can create the task with it until it runs out: then the fees are paid and the bonds locked, and the poster funds escrow.',
    dangers: findStranger('these terms', from, parties.poster, parties.worker),
  };
}

function explainSettlement(fields: Fields, from: Address) {
  const [poster, worker] = [parseAddress(fields.poster), parseAddress(fields.worker)];
  const held = BigInt(fields.held as string);
  const share = (held * BigInt(fields.workerBps as string)) / 10_000n;
  const pay = (owner: Address, amount: bigint) =>
    move('TOK', amount, { place: 'escrow' }, accountOf('wallet', owner));
  return {
    action: catalog.mutualSettle as WriteAction,
    task: { poster, worker },
    movements: [pay(worker, share), pay(poster, held - share)].filter(({ amount }) => amount !== 0n),
    when: 'The other party can end the task with this signature at any time until it runs out.',
    dangers: findStranger('this split', from, poster, worker),
  };
}

function findStranger(what: string, from: Address, ...parties: readonly Address[]): string[] {
  const isParty = parties.some((party) => isSameAddress(party, from));
  return isParty ? [] : [`This wallet is neither poster nor worker of ${what}.`];
}

function explainPayment(fields: Fields) {
  const [payer, to] = [parseAddress(fields.from), parseAddress(fields.to)];
  const amount = BigInt(fields.value as string);
  const danger = `A payment by signature: whoever has it can move ${formatUsdc(amount)} USDC of this wallet to ${to}. No action of the market asks for one.`;
  return {
    dangers: [danger],
    movements: [move('USDC', amount, accountOf('wallet', payer), accountOf('wallet', to))],
    when: 'Anyone who has the signature can make this payment at once. It cannot be taken back.',
  };
}

function explainPermit(fields: Fields, token: 'TOK' | 'USDC') {
  const spender = parseAddress(fields.spender);
  const amount = BigInt(fields.value as string);
  const isUnlimited = amount >= unlimited;
  return {
    allowance: { token, spender, spenderName: null, amount, isUnlimited },
    when: 'Anyone who has the signature can set this allowance.',
    dangers: [
      `A permit: it lets ${spender} take ${isUnlimited ? 'all' : 'your'} ${token}. No action of the market asks for one.`,
    ],
  };
}
