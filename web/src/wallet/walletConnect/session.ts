// A session with a wallet elsewhere, over WalletConnect's relay: it signs there, and the chain is read at its public RPC.
import { SignClient } from '@walletconnect/sign-client';
import { base } from 'wagmi/chains';

const chain = `eip155:${base.id}`;
const methods = ['eth_sendTransaction', 'eth_signTypedData_v4', 'personal_sign'];
/** A relay that can be reached answers in a moment. */
const relayPatienceMs = 12_000;
const rejected = [5000, 5001, 5002, 5003];

export type WalletConnectPlace = {
  readonly projectId: string;
  /** The chain is read here: a wallet on a phone only signs. */
  readonly rpcUrl: string;
};

export type Session = Awaited<ReturnType<typeof openSession>>;

export async function openSession({ projectId, rpcUrl }: WalletConnectPlace) {
  const client = await inTime(
    SignClient.init({
      projectId,
      // The page tells nobody what it does.
      telemetryEnabled: false,
      logger: 'silent',
      metadata: { name: 'svc', description: 'A task market', url: location.origin, icons: [] },
    }),
  );
  let topic = client.session.getAll().at(-1)?.topic ?? null;
  const known = () =>
    topic === null ? undefined : client.session.getAll().find((one) => one.topic === topic);
  const accounts = () =>
    (known()?.namespaces.eip155?.accounts ?? [])
      .filter((account) => account.startsWith(`${chain}:`))
      .map((account) => account.slice(chain.length + 1));

  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    if (topic === null) throw new Error('The session with the wallet has ended; connect again.');
    try {
      return await client.request({ topic, chainId: chain, request: { method, params: [...params] } });
    } catch (error) {
      const { code, message } = error as { code?: number; message?: string };
      // A wallet elsewhere says no with a code of the relay's own.
      const isNo = code !== undefined && rejected.includes(code);
      throw Object.assign(new Error(message ?? 'The wallet did not answer.'), { code: isNo ? 4001 : code });
    }
  }

  return {
    accounts,
    provider: {
      request: ({
        method,
        params = [],
      }: {
        readonly method: string;
        readonly params?: readonly unknown[];
      }) => {
        if (method === 'eth_accounts' || method === 'eth_requestAccounts') return Promise.resolve(accounts());
        if (method === 'eth_chainId') return Promise.resolve(`0x${base.id.toString(16)}`);
        return methods.includes(method) ? ask(method, params) : readChain(rpcUrl, method, params);
      },
    },
    /** Until the other wallet has agreed. */
    pair: async (onUri: (uri: string) => void): Promise<void> => {
      const events = ['accountsChanged', 'chainChanged'];
      const { uri, approval } = await inTime(
        client.connect({ optionalNamespaces: { eip155: { chains: [chain], methods, events } } }),
      );
      if (uri !== undefined) onUri(uri);
      topic = (await approval()).topic;
      if (accounts().length === 0) throw new Error('The wallet shares no account on Base; add one there.');
    },
    onEnd: (tell: () => void) => {
      client.on('session_delete', (event) => {
        if (event.topic !== topic) return;
        topic = null;
        tell();
      });
    },
    onAccounts: (tell: (accounts: readonly string[]) => void) => {
      client.on('session_update', () => tell(accounts()));
    },
    end: async (): Promise<void> => {
      const ended = topic;
      topic = null;
      if (ended === null) return;
      // The relay may be away; this side has ended it all the same.
      await client
        .disconnect({ topic: ended, reason: { code: 6000, message: 'Disconnected' } })
        .catch(() => undefined);
    },
  };
}

let asked = 0;

async function readChain(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  asked += 1;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: asked, method, params }),
  });
  const { result, error } = await response.json();
  if (error !== undefined)
    throw Object.assign(new Error(error.message), { code: error.code, data: error.data });
  return result;
}

/** The relay's client waits for ever; a person does not. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const words =
      'WalletConnect’s relay does not answer. Check the connection and try again, or use a wallet of this browser.';
    timer = setTimeout(() => reject(new Error(words)), relayPatienceMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
