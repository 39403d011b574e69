// The parts a task is paid in.
import { Tok } from '../../components/Money.tsx';
import type { Task } from '../../data/market.ts';

const words = {
  pending: 'waits',
  current: 'now',
  delivered: 'delivered',
  paid: 'paid',
} as const;

export function Milestones({ task }: { readonly task: Task }) {
  return (
    <section className="sheet">
      <header>
        <h2>Milestones</h2>
        <span className="small faint">
          {task.milestones.filter(({ state }) => state === 'paid').length} of {task.milestones.length} paid
        </span>
      </header>
      <ol className="milestones">
        {task.milestones.map(({ amountTokWei, state }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a milestone is its place in the list
          <li key={index} data-is={state}>
            <span>Milestone {index + 1}</span>
            <span className="milestate">{words[state]}</span>
            <Tok wei={amountTokWei} />
          </li>
        ))}
      </ol>
    </section>
  );
}
