// Moments on a command line: Unix seconds, a date, or so much time from now.
import { SvcError } from '@svc/sdk/domain';

const units = { m: 60, h: 3_600, d: 86_400 } as const;

/** "1793348694", "2026-12-01T12:00:00Z" or "+7d" (m, h, d) -> Unix seconds. Throws USAGE that names the option. */
export function parseMoment(name: string, value: string, nowSeconds: number): number {
  if (/^[0-9]{9,12}$/.test(value)) return Number(value);
  const [, count, unit] = /^\+([0-9]{1,6})([mhd])$/.exec(value) ?? [];
  if (count !== undefined) return nowSeconds + Number(count) * units[unit as keyof typeof units];
  const time = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time))
    throw new SvcError('USAGE', {
      reason: `--${name} must be a moment such as +7d, 2026-12-01T12:00:00Z or 1793348694.`,
    });
  return Math.floor(time / 1_000);
}
