// The pairing code: to scan, to open on this device, or to copy.
import { encode } from 'uqr';
import { TextArea } from '#components/Field.tsx';

export function PairingCode({ uri }: { readonly uri: string }) {
  const { data, size } = encode(uri, { border: 2 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <div className="stack">
      <p role="status">
        Scan this code with your wallet, or open it on this device. Then confirm in the wallet.
      </p>
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
      <TextArea label="Or paste this link into the wallet" value={uri} onChange={() => undefined} />
    </div>
  );
}
