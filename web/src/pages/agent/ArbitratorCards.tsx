// A wallet as arbitrator: its bond and record on each market, and the cases that it judges or has decided.

import { type Address, isSameAddress, type Market, markets } from '@svc/sdk/domain';
import { Ago } from '#components/Clock.tsx';
import { marketNames } from '#components/MarketHeader.tsx';
import { Split, Tok } from '#components/Money.tsx';
import { showShare } from '#data/agentRecord.ts';
import { nameTask } from '#data/format.ts';
import { useEntry } from '#data/gateway.ts';
import { maxListed, type Task, useRecentTasks } from '#data/market.ts';

type Props = { readonly address: Address };

export function ArbitratorCards({ address }: Props) {
  return markets.map((market) => <ArbitratorCard key={market} market={market} address={address} />);
}

/** Nothing for a wallet without a bond that has judged nothing. */
function ArbitratorCard({ market, address }: Props & { readonly market: Market }) {
  const { data: record } = useEntry('verifiers', market, address);
  const { data: recent = [] } = useRecentTasks(market);
  const cases = recent.filter((task) => isJudge(task, address));
  if (record == null && cases.length === 0) return null;
  return (
    <section className="sheet" aria-label={`Arbitrator, ${marketNames[market]}`}>
      <header>
        <h2>As arbitrator, {marketNames[market]}</h2>
        {record != null && (
          <span className="status" data-tone={record.eligible ? 'act' : 'done'}>
            {record.eligible ? '● takes cases' : '○ takes no cases'}
          </span>
        )}
      </header>
      <div className="body stack">
        {record != null && (
          <dl className="pairs">
            <dt>Bond at stake</dt>
            <dd>
              <Tok wei={record.bondTokWei} hasUsd />
            </dd>
            <dt>Decided in time</dt>
            <dd>{showShare({ part: record.resolved, of: record.resolved + record.missed })}</dd>
            <dt>Open cases</dt>
            <dd>{record.openCases}</dd>
            <dt>Smallest case</dt>
            <dd>{record.minHeldTokWei === '0' ? 'any' : <Tok wei={record.minHeldTokWei} hasUsd />}</dd>
          </dl>
        )}
        {cases.length > 0 && <Cases cases={cases} isCut={recent.length >= maxListed} />}
      </div>
    </section>
  );
}

function Cases({ cases, isCut }: { readonly cases: readonly Task[]; readonly isCut: boolean }) {
  return (
    <>
      <h3 className="small">
        {isCut
          ? `Its cases among the newest ${maxListed.toLocaleString('en-US')} public tasks`
          : 'Its public cases'}
      </h3>
      <ul className="cases">
        {cases.map(({ dispute, ...task }) => (
          <li key={task.id}>
            <a href={`/market.html?task=${task.id}`} dir="auto">
              {nameTask(task)}
            </a>
            <span className="small quiet">
              {dispute?.ruling == null ? (
                'to be decided'
              ) : (
                <>
                  <Split wei={dispute.amountTokWei} workerBps={dispute.ruling.workerBps} />,{' '}
                  <Ago time={dispute.ruling.at} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Of an open case, or of one that it has decided. */
function isJudge({ dispute }: Task, address: Address): boolean {
  const judge = dispute?.ruling?.by ?? (dispute?.outcome === null ? dispute.judge : null);
  return typeof judge === 'string' && isSameAddress(judge as Address, address);
}
