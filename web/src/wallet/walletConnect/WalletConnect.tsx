// WalletConnect, for a wallet on another device. Its client is a separate chunk, loaded when the reader chooses it.

import { useState } from 'react';
import { useConnect } from 'wagmi';
import { Button, Failure } from '../../components/Form.tsx';
import { lazyPart } from '../../components/QueryView.tsx';
import { usePagesInfo } from '../../data/client.ts';
import { useSiteConfig } from '../../data/market.ts';
import { createOwnConnector, useReconnectTo } from '../ownConnector.ts';
import { chainId } from '../useWallet.tsx';
import type { WalletConnectSettings } from './session.tsx';

const PairingCode = lazyPart(
  async () => (await import('./session.tsx')).PairingCode,
  <p className="quiet">Drawing the code…</p>,
);

/** Null without a project id: then nothing of it is loaded or requested. */
export function useWalletConnectSettings(): WalletConnectSettings | null {
  const projectId = usePagesInfo().data?.walletConnectProjectId ?? null;
  const rpcUrl = useSiteConfig('standard', projectId !== null).data?.rpcUrl;
  return projectId === null || rpcUrl === undefined ? null : { projectId, rpcUrl };
}

type WalletConnectChoiceProps = { settings: WalletConnectSettings; onDone: () => void };

export function WalletConnectChoice({ settings, onDone }: WalletConnectChoiceProps) {
  const [uri, setUri] = useState('');
  const { mutate: connect, error, isPending } = useConnect();
  const start = () => {
    setUri('');
    connect({ connector: createWalletConnect(settings, setUri), chainId }, { onSuccess: onDone });
  };
  return (
    <>
      <Button className="wide" disabled={isPending} onClick={start}>
        {isPending && uri === '' ? 'Contacting WalletConnect…' : 'WalletConnect'}
      </Button>
      <p className="small quiet">For a wallet on another device, such as a phone.</p>
      {isPending && uri !== '' && <PairingCode uri={uri} />}
      <Failure text={error === null ? null : (error.message.split('\n')[0] ?? '')} />
    </>
  );
}

/** Sessions outlive the page. */
export function useWalletConnectReconnect(): void {
  const settings = useWalletConnectSettings();
  useReconnectTo(
    walletConnectId,
    settings === null ? null : () => createWalletConnect(settings, () => undefined),
  );
}

const walletConnectId = 'walletConnect';

function createWalletConnect(settings: WalletConnectSettings, onUri: (uri: string) => void) {
  return createOwnConnector(walletConnectId, 'WalletConnect', async () => {
    const { openSession } = await import('./session.tsx');
    return openSession(settings, onUri);
  });
}
