// What happened to a task, newest first.
import { Answer } from '../../components/Answer.tsx';
import { Ago } from '../../components/Clock.tsx';
import { Hex } from '../../components/Hex.tsx';
import { useTimeline } from '../../data/market.ts';
import { tellStory } from '../../data/story.ts';

export function Story({ id }: { readonly id: string }) {
  const timeline = useTimeline(id);
  return (
    <section className="sheet">
      <header>
        <h2>What happened</h2>
        <span className="small faint">newest first, in UTC</span>
      </header>
      <Answer of={timeline} what="the history">
        {({ events, complete, nextCursor }) => (
          <>
            <ol className="story">
              {tellStory(events).map(({ key, sentence, event }) => (
                <li key={key}>
                  <span>{sentence}</span>
                  <span className="small faint">
                    <Ago time={event.time} /> · <Hex value={event.txHash} name="Transaction" />
                  </span>
                </li>
              ))}
            </ol>
            {!complete && <p className="notice">Older events are still being read from the chain.</p>}
            {nextCursor !== null && <p className="notice">Only the first 100 events are shown.</p>}
          </>
        )}
      </Answer>
    </section>
  );
}
