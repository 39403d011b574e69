// What the market has moved over time, told by its tasks: what was posted, and what workers were paid.
import { useMemo } from 'react';
import type { Market } from '#domain/market.ts';
import { Answer } from '../../components/Answer.tsx';
import { Plot } from '../../components/Plot.tsx';
import { toTok } from '../../data/format.ts';
import { type Task, useRecentTasks } from '../../data/market.ts';

export function OverTime({ market }: { readonly market: Market }) {
  const recent = useRecentTasks(market);
  return (
    <Answer of={recent} what="the market over time">
      {(tasks) =>
        tasks.length < 2 ? (
          <p className="notice">There is too little history to plot.</p>
        ) : (
          <Plots tasks={tasks} />
        )
      }
    </Answer>
  );
}

function Plots({ tasks }: { readonly tasks: readonly Task[] }) {
  const plots = useMemo(() => {
    const posted = addUp(tasks.map((task) => [task.createdAt, toTok(task.totalAmountTokWei)]));
    const ended = tasks.filter(({ releasedTokWei }) => releasedTokWei !== '0');
    const paid = addUp(ended.map((task) => [task.updatedAt, toTok(task.releasedTokWei)]));
    return { posted, paid };
  }, [tasks]);
  return (
    <div className="multiples">
      <Plot
        title="Posted in all"
        unit="TOK, by the time of posting"
        kind="lines"
        at={plots.posted.times}
        lines={[{ name: 'posted', values: plots.posted.sums, colour: '--done' }]}
      />
      <Plot
        title="Paid to workers in all"
        unit="TOK, by each task’s last change"
        kind="lines"
        at={plots.paid.times}
        lines={[{ name: 'paid', values: plots.paid.sums, colour: '--act' }]}
      />
    </div>
  );
}

function addUp(amounts: [number, number][]): { readonly times: number[]; readonly sums: number[] } {
  const sorted = [...amounts].sort(([left], [right]) => left - right);
  let sum = 0;
  const sums = sorted.map(([, amount]) => {
    sum += amount;
    return sum;
  });
  return { times: sorted.map(([time]) => time), sums };
}
