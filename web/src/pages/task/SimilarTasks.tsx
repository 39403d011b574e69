// Open tasks like this one: they share its tags. For a reader who comes too late, or looks for more of the same.
import { offeredAmount } from '@svc/sdk/internal/domain/task';
import { Countdown, useNow } from '#components/Clock.tsx';
import { Tok } from '#components/Money.tsx';
import { Link } from '#components/navigation.tsx';
import { Sheet } from '#components/Sheet.tsx';
import { describeFunding } from '#data/escrow.ts';
import { type Task, useSimilarTasks } from '#data/market.ts';

export function SimilarTasks({ task }: { task: Task }) {
  const now = useNow();
  const { data: found = [] } = useSimilarTasks(task, now);
  const open = found.filter(({ deadline }) => deadline >= now);
  if (open.length === 0) return null;
  return (
    <Sheet title="Similar open tasks" note="with the same tags" isBare>
      <ul className="rows">
        {open.map((one) => (
          <li key={one.id}>
            <Link href={`/market.html?task=${one.id}`} dir="auto">
              {one.title ?? one.id}
            </Link>
            <span className="small quiet">
              <Tok wei={offeredAmount(one)} hasUsd /> · {describeFunding(one)} ·{' '}
              <Countdown to={one.deadline} isCalm />
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
