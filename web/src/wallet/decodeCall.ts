// What a call really does, read from its bytes: whoever asked for it may have written anything beside it.

import {
  depositVaultAbi,
  disputeCourtAbi,
  paymentGatewayAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  tokTokenAbi,
} from '@svc/contracts/abi';
import type { SiteConfig } from '@svc/sdk/client';
import { addressKey, currencies, scopes, toPlain } from '@svc/sdk/domain';
import { type Abi, type AbiParameter, decodeFunctionData, getAbiItem, type Hex } from 'viem';
import { showTok, showUsdc } from '#data/format.ts';
import { showDuration, showMoment } from '#data/time.ts';

type Unit = 'TOK' | 'USDC';
type Known = {
  readonly name: string;
  readonly abi: Abi;
  readonly unit: Unit;
  /** The market that it belongs to. */
  readonly site?: SiteConfig;
};

export type AddressBook = ReadonlyMap<string, Known>;

export type DecodedCall = {
  /** Null where no contract of this service is called. */
  readonly contract: string | null;
  readonly functionName: string | null;
  readonly args: readonly Argument[];
  /** What it carries for people to read: its writer's own words, or where they are. */
  readonly uri: string | null;
  readonly site: SiteConfig | null;
};

type Argument = { readonly name: string; readonly value: string };

/** The owner's own wallet has a name, and no calls that we could read. */
export function buildAddressBook(sites: readonly SiteConfig[], owner?: string): AddressBook {
  const own = { name: 'this wallet', abi: [], unit: 'TOK' } as const;
  return new Map<string, Known>([
    ...(owner === undefined ? [] : [[addressKey(owner as Hex), own] as const]),
    ...sites.flatMap((site) => {
      const { market, contracts } = site;
      const at = (address: string, name: string, abi: Abi, unit: Unit = 'TOK') =>
        [addressKey(address as Hex), { name, abi, unit, site }] as const;
      return [
        at(contracts.tokToken, 'TOK token', tokTokenAbi),
        at(contracts.usdc, 'USDC token', tokTokenAbi, 'USDC'),
        at(contracts.taskRegistry, `task registry (${market})`, taskRegistryAbi),
        at(contracts.depositVault, `deposit vault (${market})`, depositVaultAbi, 'USDC'),
        at(contracts.paymentGateway, `payment gateway (${market})`, paymentGatewayAbi),
        at(contracts.stakingVault, `Union vault (${market})`, stakingVaultAbi),
        at(contracts.disputeCourt, `dispute court (${market})`, disputeCourtAbi),
      ];
    }),
  ]);
}

export function decodeCall(
  book: AddressBook,
  { to, data }: { readonly to: string; readonly data: string },
): DecodedCall {
  const known = book.get(addressKey(to as Hex));
  if (known === undefined || known.abi.length === 0) return { ...unread, contract: null };
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: known.abi, data: data as Hex });
    const item = getAbiItem({ abi: known.abi, name: functionName, args } as never) as unknown as {
      readonly inputs: readonly AbiParameter[];
    };
    // A plan is paid in the currency that the call names.
    const isUsdcPlan = functionName === 'purchasePlan' && currencies[Number(args[1])] === 'usdc';
    const unit = isUsdcPlan ? 'USDC' : known.unit;
    const shown = item.inputs.flatMap((input, index) => showArgument(book, unit, input, args[index]));
    const uri = shown.find(({ name }) => name === 'uri')?.value ?? null;
    const rest = shown.filter(({ name }) => name !== 'uri');
    return { contract: known.name, functionName, args: rest, uri, site: known.site ?? null };
  } catch {
    return { ...unread, contract: known.name };
  }
}

const unread = { functionName: null, args: [], uri: null, site: null } as const;

/** A struct is shown field by field. */
function showArgument(book: AddressBook, unit: Unit, input: AbiParameter, value: unknown): Argument[] {
  const name = input.name ?? '';
  if ('components' in input && !input.type.endsWith('[]')) {
    const fields = value as Readonly<Record<string, unknown>>;
    return input.components.flatMap((part) => showArgument(book, unit, part, fields[part.name ?? '']));
  }
  // Texts are read as they are, line by line; they stand apart from our own words.
  if (name === 'uri') return [{ name, value: String(value) }];
  return [{ name, value: showValue(book, unit, name, value) }];
}

/** A field of typed data as its type says: JSON carries whole numbers as text. */
export function showField(
  book: AddressBook,
  field: { readonly name: string; readonly type: string },
  value: unknown,
): string {
  const isNumber = /^u?int/.test(field.type) && /^[0-9]+$/.test(String(value));
  return showValue(book, 'TOK', field.name, isNumber ? BigInt(String(value)) : value);
}

const amounts = /^(value|amount|totalAmount|fundNow|milestones|maxPay|minHeld|held)$/;
/** Nobody has that much: an allowance of it has no end. */
const unlimited = 2n ** 128n;
const times = /^(deadline|acceptBy|validUntil)$/;
const durations = /^reviewPeriod$/;

function showValue(book: AddressBook, unit: Unit, name: string, value: unknown): string {
  if (Array.isArray(value))
    return value.map((part) => showValue(book, unit, name, part)).join(', ') || 'none';
  if (typeof value === 'bigint' && amounts.test(name) && value >= unlimited) return `any amount of ${unit}`;
  if (typeof value === 'bigint' && amounts.test(name))
    return unit === 'TOK' ? `${showTok(value)} TOK` : `${showUsdc(value)} USDC`;
  if (typeof value === 'bigint' && times.test(name)) return showMoment(Number(value));
  if (durations.test(name)) return showDuration(Number(value));
  if (name === 'workerBps') return `${Number(value) / 100} %`;
  if (name === 'scope') return scopes[Number(value)] ?? String(value);
  const text = String(value);
  const named = text.length === 42 ? book.get(text.toLowerCase()) : undefined;
  return named === undefined ? toPlain(text) : `${text} (${named.name})`;
}
