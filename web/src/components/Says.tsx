// A sentence of the SDK: amounts with their dollars, wallets and tasks as links, words of others marked as theirs.
import type { Says as Sentence } from '@svc/sdk/domain';
import { type Part, showPart } from '../data/showSays.ts';
import { Hex, WalletLink } from './Hex.tsx';
import { Usd } from './Money.tsx';
import { Link } from './navigation.tsx';

export function Says({ says }: { says: Sentence }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no id
  return says.map((part, at) => <OnePart key={at} part={part} />);
}

function OnePart({ part }: { part: Part }) {
  const text = showPart(part);
  if (typeof part === 'string') return text;
  if ('tok' in part)
    return (
      <>
        {text}
        <Usd wei={part.tok} />
      </>
    );
  if ('wallet' in part) return <WalletLink address={part.wallet} />;
  if ('task' in part) return <Link href={`/market.html?task=${part.task}`}>{text}</Link>;
  if ('hash' in part) return <Hex value={part.hash} name="Hash" />;
  return 'foreign' in part ? <bdi className="quiet">{text}</bdi> : text;
}
