// Decodes a call from its bytes, because the tool that made the request may describe it wrongly.

import { describeCall } from '@svc/sdk/actions';
import { type CalledContract, calledContracts } from '@svc/sdk/internal/chain/encodeCall';
import type { SiteConfig } from '@svc/sdk/internal/client/createMarketClient';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { currencies } from '@svc/sdk/internal/domain/state';
import { type Abi, type AbiParameter, decodeFunctionData, getAbiItem, type Hex } from 'viem';
import { type Argument, type ArgumentContext, readArgument, type Unit } from './argumentValue.ts';

type Known = {
  readonly name: string;
  readonly abi: Abi;
  readonly unit: Unit;
  /** Of a contract: which one, on which market. */
  readonly contract?: CalledContract;
  readonly site?: SiteConfig;
};

export type AddressBook = ReadonlyMap<string, Known>;

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

/** The contracts of the given markets and the owner's wallet, by address. */
export function buildAddressBook(sites: readonly SiteConfig[], owner?: string): AddressBook {
  const own = { name: 'this wallet', abi: [], unit: 'TOK' } as const;
  return new Map<string, Known>([
    ...(owner === undefined ? [] : [[addressKey(owner as Hex), own] as const]),
    ...sites.flatMap((site) =>
      (Object.keys(calledContracts) as CalledContract[]).flatMap((contract) => {
        const { key, abi } = calledContracts[contract];
        const address = site.contracts[key];
        if (address === undefined) return [];
        const unit = contract === 'USDC' || contract === 'DepositVault' ? 'USDC' : 'TOK';
        const name = contractNames[contract](site.market);
        return [[addressKey(address), { name, abi, unit, contract, site }] as const];
      }),
    ),
  ]);
}

export function decodeCall(
  book: AddressBook,
  { to, data }: { readonly to: string; readonly data: string },
): DecodedCall {
  const known = book.get(addressKey(to as Hex));
  if (known?.contract === undefined || known.site === undefined) return unread;
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: known.abi, data: data as Hex });
    const item = getAbiItem({ abi: known.abi, name: functionName, args } as never) as unknown as {
      readonly inputs: readonly AbiParameter[];
    };
    // A plan is paid in the currency that the call names.
    const isUsdcPlan = functionName === 'purchasePlan' && currencies[Number(args[1])] === 'usdc';
    const unit = isUsdcPlan ? 'USDC' : known.unit;
    const context = { nameOf: namesOf(book), unit, market: known.site.market };
    const shown = item.inputs.flatMap((input, index) => readInput(context, input, args[index]));
    const rest = shown.filter(({ name }) => !isUri(name));
    return {
      contract: known.name,
      functionName,
      sentence: describeCall(known.contract, functionName, nameArguments(rest)),
      args: rest,
      uri: shown.find(({ name }) => isUri(name))?.value ?? null,
    };
  } catch {
    return { ...unread, contract: known.name };
  }
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
  const context = { nameOf: namesOf(book), unit: 'TOK', market: null } as const;
  return readArgument(context, name, isNumber ? BigInt(String(value)) : value);
}

const namesOf = (book: AddressBook) => (address: string) => book.get(address.toLowerCase())?.name;
