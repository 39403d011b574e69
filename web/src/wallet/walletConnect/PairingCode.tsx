// What the other wallet scans, opens or is handed as a text.
import { encode } from 'uqr';
import { TextField } from '../../components/Field.tsx';

export function PairingCode({ uri }: { readonly uri: string }) {
  const { data, size } = encode(uri, { border: 2 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <div className="stack">
      <p role="status">Scan this with your wallet, or open it on this device. It waits for your yes there.</p>
      <svg
        className="pairing"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label="Code to scan with a wallet"
      >
        <path d={squares.join('')} />
      </svg>
      <a className="button" href={uri}>
        Open a wallet on this device
      </a>
      <TextField label="Or paste this link into the wallet" value={uri} onChange={() => undefined} />
    </div>
  );
}
