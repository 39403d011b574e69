// A wallet as arbitrator: its bond and record on each market, and the cases that it judges or has decided.

import { type Address, isSameAddress, type Market, markets } from '@svc/sdk/domain';
import { Ago } from '#components/Clock.tsx';
import { marketNames } from '#components/MarketHeader.tsx';
import { Split, Tok } from '#components/Money.tsx';
import { Facts, Sheet, Status } from '#components/Sheet.tsx';
import { showShare } from '#data/agentRecord.ts';
import { nameTask } from '#data/format.ts';
import { useEntry } from '#data/gateway.ts';
import { maxListed, type Task, useRecentTasks } from '#data/market.ts';

type Props = { address: Address };

export function ArbitratorCards({ address }: Props) {
  return markets.map((market) => <ArbitratorCard key={market} market={market} address={address} />);
}

/** Nothing for a wallet without a bond that has judged nothing. */
function ArbitratorCard({ market, address }: Props & { market: Market }) {
  const { data: record } = useEntry('verifiers', market, address);
  const { data: recent = [] } = useRecentTasks(market);
  const cases = recent.filter((task) => isJudge(task, address));
  if (record == null && cases.length === 0) return null;
  return (
    <Sheet
      title={`As arbitrator, ${marketNames[market]}`}
      aria-label={`Arbitrator, ${marketNames[market]}`}
      note={
        record != null && (
          <Status tone={record.eligible ? 'act' : 'done'}>
            {record.eligible ? '● takes cases' : '○ takes no cases'}
          </Status>
        )
      }
    >
      {record != null && (
        <Facts
          facts={{
            'Bond at stake': <Tok wei={record.bondTokWei} hasUsd />,
            'Decided in time': showShare({ part: record.resolved, of: record.resolved + record.missed }),
            'Open cases': record.openCases,
            'Smallest case': record.minHeldTokWei === '0' ? 'any' : <Tok wei={record.minHeldTokWei} hasUsd />,
          }}
        />
      )}
      {cases.length > 0 && <Cases cases={cases} isCut={recent.length >= maxListed} />}
    </Sheet>
  );
}

function Cases({ cases, isCut }: { cases: readonly Task[]; isCut: boolean }) {
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
