// Whose turn it is, the clock that runs, and what may be done next, by whom.
import { Countdown } from '../../components/Clock.tsx';
import { useNow } from '../../data/clock.ts';
import { showMoment } from '../../data/format.ts';
import type { Task } from '../../data/market.ts';
import { readTurn } from '../../data/turn.ts';
import { actionWords } from '../../wallet/actionWords.ts';
import { TaskActions } from '../../wallet/TaskActions.tsx';

const turnWords = {
  anyone: 'Anyone’s turn',
  poster: 'The poster’s turn',
  worker: 'The worker’s turn',
  arbitrator: 'The arbitrator’s turn',
  both: 'Both parties’ turn',
  nobody: 'Finished',
} as const;

export function TurnPanel({ task }: { readonly task: Task }) {
  const now = useNow();
  const turn = readTurn(task, now);
  return (
    <section className="sheet turn" data-who={turn.who}>
      <header>
        <h2>{turnWords[turn.who]}</h2>
        {turn.until !== null && <Countdown to={turn.until} />}
      </header>
      <div className="body stack">
        <p>{turn.sentence}</p>
        {turn.until !== null && (
          <p className="small quiet">
            Until {showMoment(turn.until)}. {turn.after}
          </p>
        )}
        <TaskActions task={task} now={now} />
        {task.nextActions.length > 0 && (
          <details className="nexts small">
            <summary>Everything that may come next</summary>
            <ul>
              {task.nextActions.map((next) => (
                <li key={`${next.action}${next.by}${next.from}`}>
                  <span>{actionWords[next.action]?.name ?? next.action}</span>
                  <span className="quiet">
                    {next.by}
                    {next.from !== null && next.from > now && `, from ${showMoment(next.from)}`}
                    {next.until !== null && `, until ${showMoment(next.until)}`}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </section>
  );
}
