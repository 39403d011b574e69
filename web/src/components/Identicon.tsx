// A small picture that is drawn from an address, so that the same wallet is recognised everywhere. It proves nothing.
import { addressKey } from '@svc/sdk/internal/domain/address';

const cells = 5;
const middle = Math.ceil(cells / 2);

/** A mirrored pattern of five by five cells in one of 24 hues. */
export function Identicon({ address, size = 20 }: { readonly address: string; readonly size?: number }) {
  const { hue, path } = drawIdenticon(address);
  return (
    <svg
      className="identicon"
      viewBox={`-1 -1 ${cells + 2} ${cells + 2}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      data-hue={hue}
      aria-hidden="true"
    >
      <path d={path} fill={`hsl(${hue * 15} 55% 50%)`} />
    </svg>
  );
}

function drawIdenticon(address: string): { readonly hue: number; readonly path: string } {
  const digits = addressKey(address as `0x${string}`).slice(2);
  const bits = [...digits.slice(0, 15)].map((digit) => Number.parseInt(digit, 16) % 2 === 0);
  const path = bits.flatMap((isFilled, index) => {
    const [x, y] = [index % middle, Math.floor(index / middle)];
    return isFilled ? [...new Set([x, cells - 1 - x])].map((column) => `M${column} ${y}h1v1h-1z`) : [];
  });
  return { hue: Number.parseInt(digits.slice(-4), 16) % 24, path: path.join('') };
}
