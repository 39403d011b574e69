// Times: relative and counting, the absolute one in the title.
import { useNow } from '../data/clock.ts';
import { showAgo, showDuration, showMoment } from '../data/format.ts';

const soonSeconds = 86_400;

/** Counts down to a moment; amber in its last day, red once it has passed, unless nothing hangs on it any more. */
export function Countdown({ to, isCalm = false }: { readonly to: number; readonly isCalm?: boolean }) {
  const left = to - useNow();
  const tone = isCalm ? undefined : left < 0 ? 'risk' : left < soonSeconds ? 'time' : undefined;
  return (
    <time
      className="clock"
      data-tone={tone}
      dateTime={new Date(to * 1_000).toISOString()}
      title={showMoment(to)}
    >
      {left < 0 ? `${showDuration(roundDown(-left))} ago` : `in ${showDuration(roundDown(left))}`}
    </time>
  );
}

export function Ago({ time }: { readonly time: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(time * 1_000).toISOString()} title={showMoment(time)}>
      {showAgo(time, now)}
    </time>
  );
}

/** Seconds are shown in the last hour only; before, a changing figure would be noise. */
function roundDown(seconds: number): number {
  return seconds < 3_600 ? seconds : Math.floor(seconds / 60) * 60;
}
