// What this is, what the markets are doing, and how to begin.

import { type Market, markets } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useConnection } from 'wagmi';
import { Countdown, useNow } from '../components/Clock.tsx';
import { marketNames } from '../components/MarketHeader.tsx';
import { MoneyBar, Tok, TokText } from '../components/Money.tsx';
import { QueryView } from '../components/QueryView.tsx';
import { type Figure, Figures, Sheet } from '../components/Sheet.tsx';
import { useIsNarrow } from '../components/ShortList.tsx';
import { buildRow, describeRow, dropExpired, orders } from '../data/boardRows.ts';
import { useIsGateway, useTokPrice } from '../data/client.ts';
import { showDeposit, showRoundTok, showTok, showUsd, toTok } from '../data/format.ts';
import { useBoard } from '../data/gateway.ts';
import { boardQuery, showCount, useCount, useSiteConfig, useUnion } from '../data/market.ts';
import { views } from '../data/pageList.ts';
import { useVisitorRpc, VisitorButton } from '../wallet/Visitor.tsx';
import { HowItWorks, Trust } from './hub/HowItWorks.tsx';

export function HubPage() {
  return (
    <>
      <header className="hero">
        <h1>{views.hub.heading}</h1>
        <p>{views.hub.lead}</p>
        <p className="row">
          <a className="button" data-is="main" href="/market.html">
            See open tasks
          </a>
          <a className="button" href="/market.html?market=standard&post=new">
            Post a task
          </a>
          <TryIt />
        </p>
      </header>
      <div className="columns hubmarkets">
        {markets.map((market) => (
          <MarketCard key={market} market={market} />
        ))}
      </div>
      <HowItWorks />
      <Guides />
      <Trust />
    </>
  );
}

/** On the embedded chain only. */
function TryIt() {
  const rpcUrl = useVisitorRpc();
  const { isConnected } = useConnection();
  if (rpcUrl === null) return null;
  if (isConnected)
    return (
      <a className="button" href="/my.html">
        My work
      </a>
    );
  return <VisitorButton rpcUrl={rpcUrl} onDone={() => location.assign('/my.html')} />;
}

function MarketCard({ market }: { market: Market }) {
  const open = useQuery(boardQuery(market, 'open'));
  const now = useNow();
  const isNarrow = useIsNarrow();
  // Funded ones first: work can begin on them at once.
  const known = useMemo(() => (open.data?.tasks ?? []).map(buildRow).sort(orders.funded), [open.data]);
  const rows = dropExpired(known, now);
  const isWhole = open.data?.isWhole;
  const counted = useCount(isWhole === false ? [{ market, list: 'open' }] : []);
  const count = isWhole ? rows.length : isWhole === false ? counted : undefined;
  return (
    <Sheet
      title={`${marketNames[market]} market`}
      note={
        <a href={`/market.html?market=${market}`}>
          {count === undefined ? 'open tasks' : `${showCount(count)} open`} →
        </a>
      }
      isBare
    >
      <MarketFigures market={market} />
      <QueryView query={open} what="the open tasks">
        {() =>
          rows.length === 0 ? (
            <p className="body quiet">No task is open right now.</p>
          ) : (
            <ul className="rows hublist">
              {rows.slice(0, isNarrow ? 3 : 4).map((row) => (
                <li key={row.id}>
                  <a href={`/market.html?task=${row.id}`} dir="auto" title={describeRow(row)}>
                    {row.title}
                  </a>
                  <span className="line small quiet">
                    <span>
                      {!isNarrow && 'due '}
                      <Countdown to={row.deadline} />
                    </span>
                    <span>
                      <TokText text={row.funding} />
                    </span>
                    <Tok wei={row.total} hasUsd />
                  </span>
                  <MoneyBar escrow={row.escrow} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Sheet>
  );
}

function MarketFigures({ market }: { market: Market }) {
  const union = useUnion(market);
  // A site alone keeps no sums.
  const isGateway = useIsGateway();
  const totals = useBoard('marketHealth', market).data?.totals;
  const price = useTokPrice();
  const figure = (name: string, wei: bigint | string | undefined): Figure => ({
    name,
    value: (
      <>
        {wei === undefined ? '…' : showRoundTok(wei)} <span className="unit">TOK</span>
      </>
    ),
    note: wei !== undefined && price !== null ? `≈ ${showUsd(toTok(wei) * price)}` : ' ',
  });
  return (
    <Figures
      className="columns figures body"
      noteClass="usd"
      figures={[
        ...(isGateway
          ? [figure('In escrow', totals?.escrowTokWei), figure('Paid out', totals?.paidTokWei)]
          : []),
        figure('Staked', union.data?.totalStakedTok),
      ]}
    />
  );
}

type Guide = {
  readonly title: string;
  readonly steps: readonly string[];
  readonly link: readonly [href: string, label: string];
};

/** Figures are as the contracts have them, and "…" until they are known. */
function useGuides(): readonly Guide[] {
  const standard = useSiteConfig('standard').data?.limits;
  const micro = useSiteConfig('micro').data?.limits;
  const deposit = standard === undefined ? '…' : showDeposit(standard.entryCollateralUsd);
  const [bond, microBond] = [standard, micro].map((limits) =>
    limits?.bondUsd === undefined ? '…' : showDeposit(limits.bondUsd),
  );
  const fee = standard === undefined ? '…' : `${showTok(standard.accessFeeTokWei)} TOK`;
  return [
    {
      title: 'Get work done',
      steps: [
        'Connect a wallet with TOK for the payment and USDC for collateral.',
        `Deposit ${deposit} once. It stays yours; ${bond} (${microBond} on micro) are locked while a task runs.`,
        'Post the task with a deadline, milestones and criteria. Fund it now or after a claim.',
        'Review each delivery in time: accept or dispute it.',
      ],
      link: ['/market.html?market=standard&post=new', 'Post a task'],
    },
    {
      title: 'Earn as a worker',
      steps: [
        'Find a funded task. The bar shows what escrow really holds.',
        `Deposit ${deposit} and claim. A claim costs ${fee} or as many Action Credits.`,
        'Deliver a proof before the deadline. The time you wait for the poster does not count.',
        'If the poster does not review in time, you are paid.',
      ],
      link: ['/market.html', 'See open tasks'],
    },
    {
      title: 'Connect an agent',
      steps: [
        'Read everything as JSON and follow changes live, without a key.',
        'Let the tools prepare calls. You sign them, or a spending policy of yours allows the agent to.',
        'Each request has a page here that explains it to the owner.',
        'Start with the API reference. The running service generates it.',
      ],
      link: ['/docs/api', 'Read the API reference'],
    },
  ];
}

/** Open on a wide screen; a phone shows what can be unfolded. */
function Guides() {
  const isNarrow = useIsNarrow();
  return (
    <section className="columns starts" aria-label="How to begin">
      {useGuides().map(({ title, steps, link: [href, label] }) => (
        <details key={title} open={!isNarrow}>
          <summary>
            <h2>{title}</h2>
          </summary>
          <ol className="stack tight">
            {steps.map((step) => (
              <li key={step}>
                <TokText text={step} />
              </li>
            ))}
          </ol>
          <a href={href}>{label} →</a>
        </details>
      ))}
    </section>
  );
}
