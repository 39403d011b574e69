// Times: how durations and moments are shown, and how far the market's clock is from the device's.

/** "3 d 4 h", "12 min", "45 s": the two largest units that are not zero. */
export function showDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  let rest = whole;
  for (const [size, unit] of [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ') || '0 s';
}

export function showAgo(time: number, now: number): string {
  const age = now - time;
  if (age < 5) return 'just now';
  return `${showDuration(age < 60 ? age : Math.floor(age / 60) * 60)
    .split(' ')
    .slice(0, 2)
    .join(' ')} ago`;
}

export function showMoment(time: number): string {
  const date = new Date(time * 1_000);
  if (Number.isNaN(date.getTime())) return `second ${time}`;
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Smaller differences come from the network, not from a clock. */
const minOffsetSeconds = 60;

/**
 * Seconds to add to the device's clock, which may be wrong. The chain's clock decides: on a development chain it can be
 * ahead of everyone's. The clock of a chain that is down stands still; then the server's decides.
 */
export function clockOffset(times: {
  readonly device: number;
  readonly chain: number;
  /** NaN if unknown. */
  readonly server: number;
}): number {
  const { device, chain, server } = times;
  if (Number.isNaN(server)) return chain - device > minOffsetSeconds ? chain - device : 0;
  const offset = Math.max(chain, server) - device;
  return Math.abs(offset) > minOffsetSeconds ? offset : 0;
}
