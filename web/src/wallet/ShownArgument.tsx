// One argument of a call, or one field of typed data, for people: a task links to its page, TOK has its value in USD, and a
// hash says what it is of.

import type { ReactNode } from 'react';
import { Hex, WalletLink } from '../components/Hex.tsx';
import { Usd } from '../components/Money.tsx';
import { Link } from '../components/navigation.tsx';
import { toWords } from '../data/format.ts';
import type { Argument } from './argumentValue.ts';

type ShownArgumentProps = { argument: Argument };

export function ShownArgument({ argument: { name, value, hex, wei, taskId } }: ShownArgumentProps) {
  if (taskId !== undefined) return <Link href={`/market.html?task=${taskId}`}>{value}</Link>;
  if (hex === undefined)
    return (
      <>
        {value}
        {wei !== undefined && <Usd wei={wei} />}
      </>
    );
  if (value !== hex)
    return (
      <>
        {value} <Hex value={hex} name={toWords(name)} />
      </>
    );
  return hex.length === 42 ? (
    <WalletLink address={hex} name={toWords(name)} hasName={false} />
  ) : (
    <Hex value={hex} name={toWords(name)} />
  );
}

/** Each argument with its name in words, as facts of a list. */
export function listArguments(args: readonly Argument[]): [name: string, value: ReactNode][] {
  return args.map((argument) => [
    toWords(argument.name),
    <ShownArgument key={argument.name} argument={argument} />,
  ]);
}
