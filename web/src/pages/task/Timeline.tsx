// A task's history, newest first.
import { Ago } from '../../components/Clock.tsx';
import { TransactionLink, WalletLink } from '../../components/Hex.tsx';
import { TokText } from '../../components/Money.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useShortList } from '../../components/ShortList.tsx';
import { describeEvents } from '../../data/eventSentences.ts';
import { maxListed, type Task, useTimeline } from '../../data/market.ts';

export function Timeline({ task }: { task: Task }) {
  const timeline = useTimeline(task);
  return (
    <Sheet title="History" note="newest first" isBare>
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
    </Sheet>
  );
}

function Events({ events }: { events: Parameters<typeof describeEvents>[0] }) {
  const [shown, more] = useShortList(describeEvents(events), { narrow: 4 });
  return (
    <>
      <ol className="timeline">
        {shown.map(({ key, sentence, event }) => (
          <li key={key} className="line">
            <span>
              {sentence.split(/(0x[0-9a-fA-F]{40})/).map((part, index) => {
                // Every second part is a wallet.
                const Part = index % 2 === 1 ? WalletPart : TokText;
                // biome-ignore lint/suspicious/noArrayIndexKey: a sentence does not change
                return <Part key={index} text={part} />;
              })}
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

function WalletPart({ text }: { text: string }) {
  return <WalletLink address={text} />;
}
