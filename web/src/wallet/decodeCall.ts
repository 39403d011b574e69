// Decodes a call from its bytes, because the tool that made the request may describe it wrongly.

import type { SiteConfig } from '@svc/sdk';
import { describeCall } from '@svc/sdk/actions';
import type { Call, MarketContracts } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import { decodeMarketCall, type KnownContracts, type MarketCall } from '@svc/sdk/internal/actions/callFacts';
import { type CalledContract, calledContracts } from '@svc/sdk/internal/chain/encodeCall';
import { currencies } from '@svc/sdk/internal/domain/state';
import { type Abi, type AbiParameter, getAbiItem } from 'viem';
import { orNull } from '../data/orNull.ts';
import { type Argument, type ArgumentContext, readArgument } from './argumentValue.ts';

/** The contracts of the given markets, and the names of their addresses and of the owner's wallet. */
export type AddressBook = ReturnType<typeof buildAddressBook>;

export type DecodedCall = {
  /** Null if the call goes to no contract of this service. */
  readonly contract: string | null;
  readonly functionName: string | null;
  /** What the call does; null for a function that wallets are rarely asked to call. */
  readonly sentence: string | null;
  readonly args: readonly Argument[];
  /** The text for people that the call carries, or a link to it. */
  readonly uri: string | null;
};

const contractNames: Readonly<Record<CalledContract, (market: string) => string>> = {
  TokToken: () => 'the TOK token',
  USDC: () => 'the USDC token',
  TaskRegistry: (market) => `the task registry (${market})`,
  DepositVault: (market) => `the deposit vault (${market})`,
  PaymentGateway: (market) => `the payment gateway (${market})`,
  StakingVault: (market) => `the Union vault (${market})`,
  DisputeCourt: (market) => `the dispute court (${market})`,
  SwapRouter: () => 'the router of the pool',
};

/** By their markets. */
export function contractsOf(sites: readonly SiteConfig[]) {
  return Object.fromEntries(sites.map((site) => [site.market, site.contracts as MarketContracts])) as Record<
    Market,
    MarketContracts
  >;
}

export function buildAddressBook(sites: readonly SiteConfig[], owner?: string) {
  const named = sites.flatMap(({ market, contracts }) =>
    (Object.keys(calledContracts) as CalledContract[]).flatMap((contract) => {
      const address = contracts[calledContracts[contract].key];
      return address === undefined ? [] : [[address.toLowerCase(), contractNames[contract](market)] as const];
    }),
  );
  const own = owner === undefined ? [] : [[owner.toLowerCase(), 'this wallet'] as const];
  const contracts: KnownContracts = contractsOf(sites);
  return { contracts, names: new Map<string, string>([...own, ...named]) };
}

export function decodeCall(
  book: AddressBook,
  call: { readonly to: string; readonly data: string },
): DecodedCall {
  const found = decodeMarketCall(call as Call, book.contracts);
  if (found === null) return unread;
  const contract = nameIn(book)(call.to) ?? null;
  const shown = 'problem' in found ? null : orNull(() => showCall(book, found));
  return { ...(shown ?? unread), contract };
}

/** Throws where an argument is none that the market has, such as task 0. */
function showCall(book: AddressBook, { contract, functionName, args, market }: MarketCall) {
  const { abi } = calledContracts[contract];
  const item = getAbiItem({ abi: abi as Abi, name: functionName, args } as never) as unknown as {
    readonly inputs: readonly AbiParameter[];
  };
  // A plan is paid in the currency that the call names.
  const isUsdcPlan = functionName === 'purchasePlan' && currencies[Number(args[1])] === 'usdc';
  const isUsdc = isUsdcPlan || contract === 'USDC' || contract === 'DepositVault';
  const context = { nameOf: nameIn(book), unit: isUsdc ? ('USDC' as const) : ('TOK' as const), market };
  const shown = item.inputs.flatMap((input, index) => readInput(context, input, args[index]));
  const rest = shown.filter(({ name }) => !isUri(name));
  return {
    functionName,
    sentence: describeCall(contract, functionName, nameArguments(shown)),
    args: rest,
    uri: shown.find(({ name }) => isUri(name))?.value ?? null,
  };
}

const unread: DecodedCall = {
  contract: null,
  functionName: null,
  sentence: null,
  args: [],
  uri: null,
};

/** For a sentence. The first of two arguments with the same name counts. */
function nameArguments(args: readonly Argument[]): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const { name, value } of args) values[name] ??= value;
  return values;
}

function isUri(name: string): boolean {
  return name === 'uri' || name === 'reasonUri';
}

/** A struct is shown field by field. */
function readInput(context: ArgumentContext, input: AbiParameter, value: unknown): Argument[] {
  const name = input.name ?? '';
  if ('components' in input && !input.type.endsWith('[]')) {
    const fields = value as Readonly<Record<string, unknown>>;
    return input.components.flatMap((part) => readInput(context, part, fields[part.name ?? '']));
  }
  // The page shows texts unchanged, in a separate frame.
  return [isUri(name) ? { name, value: String(value) } : readArgument(context, name, value)];
}

/** A field of typed data. JSON holds large numbers as text, so the type decides what is a number. */
export function readField(
  book: AddressBook,
  { name, type }: { readonly name: string; readonly type: string },
  value: unknown,
): Argument {
  const isNumber = /^u?int/.test(type) && /^[0-9]+$/.test(String(value));
  const context = { nameOf: nameIn(book), unit: 'TOK', market: null } as const;
  return readArgument(context, name, isNumber ? BigInt(String(value)) : value);
}

const nameIn = (book: AddressBook) => (address: string) => book.names.get(address.toLowerCase());
