// A WalletConnect session: the wallet on the other device signs, the chain is read through a public RPC.
import { within } from '@svc/sdk/internal/domain/backoff';
import { SignClient } from '@walletconnect/sign-client';
import { encode } from 'uqr';
import { getAddress } from 'viem';
import { TextArea } from '../../components/Form.tsx';
import { chain as ownChain } from '../../data/chain.ts';
import type { OwnWallet } from '../ownConnector.ts';
import { createProvider } from '../ownProvider.ts';

const chain = `eip155:${ownChain.id}`;
const methods = ['eth_sendTransaction', 'eth_signTypedData_v4', 'personal_sign'];
/** A relay that is up responds much faster. */
const relayTimeoutMs = 12_000;
/** The relay has its own codes for a refusal by the user. */
const rejected = [5000, 5001, 5002, 5003];

export type WalletConnectSettings = {
  readonly projectId: string;
  /** For reading the chain: a wallet on a phone only signs. */
  readonly rpcUrl: string;
};

/** `onUri` receives the code that the other wallet scans or opens. */
export async function openSession(
  { projectId, rpcUrl }: WalletConnectSettings,
  onUri: (uri: string) => void,
): Promise<OwnWallet> {
  const client = await waitForRelay(
    SignClient.init({
      projectId,
      telemetryEnabled: false,
      logger: 'silent',
      metadata: { name: 'svc', description: 'A task market', url: location.origin, icons: [] },
    }),
  );
  let topic = client.session.getAll().at(-1)?.topic ?? null;
  const accounts = () =>
    (client.session.getAll().find((one) => one.topic === topic)?.namespaces.eip155?.accounts ?? [])
      .filter((account) => account.startsWith(`${chain}:`))
      .map((account) => getAddress(account.slice(chain.length + 1)));

  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    if (topic === null) throw new Error('The session with the wallet has ended. Connect again.');
    try {
      return await client.request({ topic, chainId: chain, request: { method, params: [...params] } });
    } catch (error) {
      const { code, message } = error as { code?: number; message?: string };
      const isRefusal = code !== undefined && rejected.includes(code);
      throw Object.assign(new Error(message ?? 'The wallet did not respond.'), {
        code: isRefusal ? 4001 : code,
      });
    }
  }

  /** Resolves when the other wallet has agreed. */
  async function pair(): Promise<void> {
    const events = ['accountsChanged', 'chainChanged'];
    const { uri, approval } = await waitForRelay(
      client.connect({ optionalNamespaces: { eip155: { chains: [chain], methods, events } } }),
    );
    if (uri !== undefined) onUri(uri);
    topic = (await approval()).topic;
    if (accounts().length === 0)
      throw new Error(`The wallet shares no account on ${ownChain.name}. Add one in the wallet.`);
  }

  const asks = methods.map((method) => [method, (params: readonly unknown[]) => ask(method, params)]);
  return {
    accounts,
    provider: createProvider(rpcUrl, accounts, Object.fromEntries(asks)),
    connect: async (isReconnecting) => {
      if (accounts().length > 0) return;
      if (isReconnecting) throw new Error('The session with the wallet has ended.');
      await pair();
    },
    onAccounts: (listener) => {
      client.on('session_update', () => listener(accounts()));
      client.on('session_delete', (event) => {
        if (event.topic !== topic) return;
        topic = null;
        listener([]);
      });
    },
    end: async () => {
      const ended = topic;
      topic = null;
      if (ended === null) return;
      // On this side the session has ended even if the relay cannot be reached.
      await client
        .disconnect({ topic: ended, reason: { code: 6000, message: 'Disconnected' } })
        .catch(() => undefined);
    },
  };
}

/** The relay's client has no timeout. */
function waitForRelay<T>(promise: Promise<T>): Promise<T> {
  const sentence =
    'The WalletConnect relay does not respond. Check your connection and try again, or use a wallet in this browser.';
  return within(relayTimeoutMs, promise, () => new Error(sentence));
}

/** The pairing code: to scan, to open on this device, or to copy. In this chunk, which is there when a code is drawn. */
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
