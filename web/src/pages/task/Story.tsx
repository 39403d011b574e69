// What happened to a task, newest first.
import { Answer } from '../../components/Answer.tsx';
import { Ago } from '../../components/Clock.tsx';
import { Hex } from '../../components/Hex.tsx';
import { WalletLink } from '../../components/WalletLink.tsx';
import { maxListed, type Task, useTimeline } from '../../data/market.ts';
import { type Sentence, tellStory } from '../../data/story.ts';

export function Story({ task }: { readonly task: Task }) {
  const timeline = useTimeline(task);
  return (
    <section className="sheet">
      <header>
        <h2>What happened</h2>
        <span className="small faint">newest first, in UTC</span>
      </header>
      <Answer of={timeline} what="the history">
        {({ events, complete, isAll }) => (
          <>
            <ol className="story">
              {tellStory(events).map(({ key, sentence, event }) => (
                <li key={key}>
                  <Told sentence={sentence} market={task.market} />
                  <span className="small faint">
                    <Ago time={event.time} /> · <Hex value={event.txHash} name="Transaction" />
                  </span>
                </li>
              ))}
            </ol>
            {!complete && <p className="notice">Older events are still being read from the chain.</p>}
            {!isAll && (
              <p className="notice">Only the first {maxListed.toLocaleString('en-US')} events are shown.</p>
            )}
          </>
        )}
      </Answer>
    </section>
  );
}

function Told({ sentence, market }: { readonly sentence: Sentence; readonly market: Task['market'] }) {
  return (
    <span>
      {sentence.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a wallet is its place in the sentence
          <WalletLink key={index} market={market} address={part.wallet} />
        ),
      )}
    </span>
  );
}
