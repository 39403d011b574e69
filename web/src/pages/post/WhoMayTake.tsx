// The first question of the posting form: who may take the task, and whether its words are public.

import type { Market } from '@svc/sdk/domain';
import { useState } from 'react';
import { Button, TextField } from '../../components/Form.tsx';
import { Link } from '../../components/navigation.tsx';
import { readAddress } from '../../data/readAddress.ts';

export const whoNames = {
  anyone: 'Anyone may claim it',
  proposals: 'I choose among proposals',
  one: 'For one wallet',
} as const;
export type Who = keyof typeof whoNames;

const notes: Readonly<Record<Who, string>> = {
  anyone:
    'The first who claims it works on it, on exactly your terms. Fast, for clear and small work. The words are public and stay on chain.',
  proposals:
    'Workers propose a price and days; you compare them and accept one. Nothing is paid before that. The words are public.',
  one: 'You offer the work to a wallet that you know, and agree on the terms. Its words can stay private.',
};

export function WhoMayTake({ market }: { market: Market }) {
  return (
    <section className="whochoice" aria-label="Who may take the task?">
      <h2>Who may take it?</h2>
      <ul className="columns">
        {(['anyone', 'proposals'] as const).map((who) => (
          <li key={who} className="sheet stack tight">
            <Link href={`/market.html?market=${market}&post=new&who=${who}`}>
              <b>{whoNames[who]}</b>
            </Link>
            <p className="quiet">{notes[who]}</p>
          </li>
        ))}
        <li className="sheet stack tight">
          <b>{whoNames.one}</b>
          <p className="quiet">{notes.one}</p>
          <OneWallet market={market} />
        </li>
      </ul>
    </section>
  );
}

function OneWallet({ market }: { market: Market }) {
  const [typed, setTyped] = useState('');
  const to = readAddress(typed);
  const open = (scope: 'private' | 'open') => {
    location.href = `/messages.html?to=${to}&propose=1&scope=${scope}&market=${market}`;
  };
  return (
    <>
      <TextField
        label="Its address"
        note={
          <>
            0x and 40 hexadecimal digits. Find workers under <a href="/leaderboard.html">People</a>.
          </>
        }
        value={typed}
        error={typed !== '' && to === null ? 'This is not an address.' : undefined}
        onChange={setTyped}
      />
      <div className="row">
        <Button disabled={to === null} onClick={() => open('private')}>
          Privately
        </Button>
        <Button disabled={to === null} onClick={() => open('open')}>
          Publicly
        </Button>
      </div>
    </>
  );
}
