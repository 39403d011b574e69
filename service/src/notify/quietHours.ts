// Quiet hours: when a person wants no notices, in the time of their place.
import type { Quiet } from '../store/noticeChannels.ts';

const dayMinutes = 1_440;
/** A clock that changes in the night moves their end, and so may their owner. */
const longestMinutes = 60;

/** Seconds after which to ask again; 0 outside of the quiet hours. */
export function quietSeconds({ quietFrom, quietTo, timeZone }: Quiet, nowMs: number): number {
  if (quietFrom === null || quietTo === null || quietFrom === quietTo) return 0;
  const local = minutesAt(nowMs, timeZone);
  const since = (local - quietFrom + dayMinutes) % dayMinutes;
  const length = (quietTo - quietFrom + dayMinutes) % dayMinutes;
  return since >= length ? 0 : Math.min(length - since, longestMinutes) * 60;
}

function minutesAt(nowMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  const [hours = 0, minutes = 0] = format.format(nowMs).split(':').map(Number);
  return hours * 60 + minutes;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
