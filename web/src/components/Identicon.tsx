// A small picture that is drawn from an address, so that the same wallet is recognised everywhere. It proves nothing.
import { addressKey } from '@svc/sdk/internal/domain/address';

/** Ground and figure; each pair has enough contrast in both themes. */
const colours = [
  ['#f3d9a4', '#8a3f1d'],
  ['#cfe4ea', '#1f5a6b'],
  ['#e6e2c0', '#5a5a1e'],
  ['#d5dcee', '#33487f'],
  ['#cfe6d6', '#1d5a3d'],
  ['#f0dccb', '#5b4636'],
] as const;

/** Of one cell, from its top left corner: empty, full, and a quarter of a circle from each corner. */
const shapes = [
  '',
  'h1v1h-1z',
  'h1a1 1 0 0 1-1 1z',
  'm1 0v1a1 1 0 0 1-1-1z',
  'm1 1h-1a1 1 0 0 1 1-1z',
  'm0 1v-1a1 1 0 0 1 1 1z',
];
/** What a shape is on the other half. */
const mirrored = [0, 1, 3, 2, 5, 4];

/** A mirrored pattern of four by four cells. */
export function Identicon({ address, size }: { readonly address: string; readonly size?: 's' | 'm' }) {
  const digits = addressKey(address as `0x${string}`).slice(2);
  const at = (index: number) => Number.parseInt(digits.slice(index * 3, index * 3 + 3), 16);
  const [ground, figure] = colours[at(12) % colours.length] as (typeof colours)[number];
  const path = Array.from({ length: 8 }, (_, index) => {
    const [x, y, shape] = [index % 2, Math.floor(index / 2), at(index) % shapes.length];
    if (shape === 0) return '';
    return `M${x} ${y}${shapes[shape]}M${3 - x} ${y}${shapes[mirrored[shape] ?? 0]}`;
  });
  return (
    <svg className={size === undefined ? 'face' : `face ${size}`} viewBox="0 0 4 4" aria-hidden="true">
      <path fill={ground} d="M0 0h4v4H0z" />
      <path fill={figure} d={path.join('')} />
    </svg>
  );
}
