// The hub: what this is, what the market does right now, and how to begin.

import { type Market, markets } from '@svc/sdk/domain';
import { useMemo } from 'react';
import { Answer } from '../components/Answer.tsx';
import { Countdown } from '../components/Clock.tsx';
import { MoneyBar, Tok } from '../components/Money.tsx';
import { State } from '../components/State.tsx';
import { useNow } from '../data/clock.ts';
import { showRoundTok, showUsd, toTok } from '../data/format.ts';
import { maxListed, type Task, useOpenTasks, useRecentTasks, useUnion } from '../data/market.ts';
import { usePrice } from '../data/pages.ts';
import { buildRow, describeRow, dropExpired } from '../data/rows.ts';

export function HubPage() {
  return (
    <>
      <header className="hero">
        <h1>Work, paid by contract</h1>
        <p>
          Posters lock payment, workers claim and deliver, bonded arbitrators decide what is disputed. The
          rules are contracts on a chain; this is where you see them at work, and where your wallet takes
          part.
        </p>
        <p className="row">
          <a className="button" data-is="main" href="/market.html">
            See what is open
          </a>
          <a className="button" href="/market.html?market=standard&post=new">
            Post a task
          </a>
        </p>
      </header>
      <div className="hubmarkets">
        {markets.map((market) => (
          <MarketCard key={market} market={market} />
        ))}
      </div>
      <Starts />
    </>
  );
}

function MarketCard({ market }: { readonly market: Market }) {
  const open = useOpenTasks(market);
  const recent = useRecentTasks(market);
  const now = useNow();
  const known = useMemo(() => (open.data ?? []).map(buildRow), [open.data]);
  const rows = dropExpired(known, now);
  return (
    <section className="sheet">
      <header>
        <h2>{market === 'standard' ? 'Standard market' : 'Micro market'}</h2>
        <a href={`/market.html?market=${market}`}>
          {open.data === undefined ? 'open tasks' : `${rows.length} open`} →
        </a>
      </header>
      <Figures market={market} tasks={recent.data} />
      <Answer of={open} what="the newest tasks">
        {() =>
          rows.length === 0 ? (
            <p className="body quiet">Nothing is open right now.</p>
          ) : (
            <ul className="hublist">
              {rows.slice(0, 4).map((row) => (
                <li key={row.id}>
                  <a href={`/market.html?task=${row.id}`} dir="auto" title={describeRow(row)}>
                    {row.title}
                  </a>
                  <span>
                    <State state={row.state} />
                    <Countdown to={row.deadline} />
                    <Tok wei={row.total} />
                  </span>
                  <MoneyBar escrow={row.escrow} />
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}

function Figures({
  market,
  tasks,
}: {
  readonly market: Market;
  readonly tasks: readonly Task[] | undefined;
}) {
  const union = useUnion(market);
  const sum = (field: 'lockedTokWei' | 'releasedTokWei') =>
    tasks?.reduce((total, task) => total + BigInt(task[field]), 0n);
  return (
    <>
      <dl className="figures body">
        <Figure name="In escrow" wei={sum('lockedTokWei')} />
        <Figure name="Paid out" wei={sum('releasedTokWei')} />
        <Figure
          name="Staked"
          wei={union.data === undefined ? undefined : BigInt(union.data.totalStakedTok)}
        />
      </dl>
      {tasks !== undefined && tasks.length >= maxListed && (
        <p className="body small quiet">
          Escrow and payments of the newest {maxListed.toLocaleString('en-US')} tasks.
        </p>
      )}
    </>
  );
}

function Figure({ name, wei }: { readonly name: string; readonly wei: bigint | undefined }) {
  const price = usePrice();
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {wei === undefined ? '…' : showRoundTok(wei)} <span className="unit">TOK</span>
      </dd>
      <dd className="usd">
        {wei !== undefined && price !== null ? `≈ ${showUsd(toTok(wei) * price)}` : ' '}
      </dd>
    </div>
  );
}

const starts = [
  {
    who: 'To have work done',
    steps: [
      'Connect a wallet with TOK for the payment and USDC for collateral.',
      'Deposit 25 USDC once; it stays yours, and 5 USDC of it (1 on micro) are bound while a task runs.',
      'Post the task with a deadline, milestones and criteria; fund it now or after a claim.',
      'Review each delivery: accept, or dispute in time.',
    ],
    link: ['/market.html?market=standard&post=new', 'Post a task'],
  },
  {
    who: 'To work',
    steps: [
      'Find a task that is funded; the bar shows what escrow really holds.',
      'Deposit 25 USDC and claim; that costs 1,000 TOK or as many Action Credits.',
      'Deliver a proof before the deadline; waiting for the poster never costs you time.',
      'When the poster stays silent through the review, you are paid all the same.',
    ],
    link: ['/market.html', 'See open tasks'],
  },
  {
    who: 'As an agent',
    steps: [
      'Read everything as JSON and follow changes as they happen, without a key.',
      'Let the tools prepare calls; nothing is signed without the wallet’s owner.',
      'Each request gets a page here on which its owner sees it in plain words.',
      'Start at the reference; it is written from the running contract.',
    ],
    link: ['/docs/api', 'Read the API'],
  },
] as const;

function Starts() {
  return (
    <section className="starts" aria-label="How to begin">
      {starts.map(({ who, steps, link: [href, word] }) => (
        <div key={who}>
          <h2>{who}</h2>
          <ol>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <a href={href}>{word} →</a>
        </div>
      ))}
    </section>
  );
}
