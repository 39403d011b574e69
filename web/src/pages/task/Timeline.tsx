// A task's history, newest first.
import type { Timeline as TimelineReply } from '@svc/sdk';
import { describeEvent } from '@svc/sdk/domain';
import { Ago } from '../../components/Clock.tsx';
import { TransactionLink } from '../../components/Hex.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { Says } from '../../components/Says.tsx';
import { useShortList } from '../../components/ShortList.tsx';
import { maxListed, type Task, useTimeline } from '../../data/market.ts';

export function Timeline({ task }: { task: Task }) {
  const timeline = useTimeline(task);
  return (
    <QueryView query={timeline} what="the history">
      {({ events, isAll }) => (
        <>
          <Events events={events} />
          {!isAll && (
            <p className="notice">Only the first {maxListed.toLocaleString('en-US')} events are shown.</p>
          )}
        </>
      )}
    </QueryView>
  );
}

type TaskEvent = TimelineReply['events'][number];

function Events({ events }: { events: readonly TaskEvent[] }) {
  const [shown, more] = useShortList(listSentences(events), { narrow: 4 });
  return (
    <>
      <ol className="timeline">
        {shown.map(({ key, says, event }) => (
          <li key={key} className="line">
            <span>
              <Says says={says} />
            </span>
            <span className="small faint">
              <Ago time={event.time} /> · <TransactionLink hash={event.txHash} />
            </span>
          </li>
        ))}
      </ol>
      {more}
    </>
  );
}

/** Newest first. */
function listSentences(events: readonly TaskEvent[]) {
  const told = events.flatMap((event) => {
    const says = describeEvent(event);
    return says === null ? [] : [{ key: `${event.blockNumber}.${event.logIndex}`, says, event }];
  });
  return told.reverse();
}
