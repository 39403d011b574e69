// Connects a wallet of another device, where the deployment has an id of WalletConnect.
import { lazy, Suspense, useEffect, useState } from 'react';
import { useConnect, useConnection, useReconnect } from 'wagmi';
import { useSiteConfig } from '../data/market.ts';
import { usePagesInfo } from '../data/pages.ts';
import { chainId, walletConfig } from './config.ts';
import { createWalletConnect, walletConnectId } from './walletConnect/connector.ts';
import type { WalletConnectPlace } from './walletConnect/session.ts';

const PairingCode = lazy(async () => ({
  default: (await import('./walletConnect/PairingCode.tsx')).PairingCode,
}));

/** Null where none is configured: then nothing of it is loaded or asked. */
export function useWalletConnectPlace(): WalletConnectPlace | null {
  const projectId = usePagesInfo().data?.walletConnectProjectId ?? null;
  const rpcUrl = useSiteConfig('standard', projectId !== null).data?.rpcUrl;
  return projectId === null || rpcUrl === undefined ? null : { projectId, rpcUrl };
}

export function WalletConnectChoice({
  place,
  onDone,
}: {
  readonly place: WalletConnectPlace;
  readonly onDone: () => void;
}) {
  const [uri, setUri] = useState('');
  const { mutate: connect, error, isPending } = useConnect();
  const start = () => {
    setUri('');
    connect({ connector: createWalletConnect(place, setUri), chainId }, { onSuccess: onDone });
  };
  return (
    <>
      <button type="button" className="button wide" disabled={isPending} onClick={start}>
        {isPending && uri === '' ? 'Asking WalletConnect…' : 'WalletConnect'}
      </button>
      <p className="small quiet">For a wallet on another device, such as a phone.</p>
      {isPending && uri !== '' && (
        <Suspense fallback={<p className="quiet">Drawing the code…</p>}>
          <PairingCode uri={uri} />
        </Suspense>
      )}
      {error !== null && (
        <p className="notice" data-is="risk" role="alert">
          {error.message.split('\n')[0]}
        </p>
      )}
    </>
  );
}

/** A session outlives the page; what was connected last is taken up again. */
export function useWalletConnectAgain(): void {
  const place = useWalletConnectPlace();
  const { isConnected } = useConnection();
  const { mutate: reconnect } = useReconnect();
  const [isTried, setTried] = useState(false);
  useEffect(() => {
    if (place === null || isConnected || isTried) return;
    setTried(true);
    const takeUp = async () => {
      const recent = await walletConfig.storage?.getItem('recentConnectorId');
      if (recent === walletConnectId)
        reconnect({ connectors: [createWalletConnect(place, () => undefined)] });
    };
    void takeUp();
  }, [place, isConnected, isTried, reconnect]);
}
