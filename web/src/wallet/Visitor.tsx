// "Try as a visitor": connects a wallet of this browser with test money. Offered on the embedded chain only.
import { useConnect } from 'wagmi';
import { Button, Failure } from '../components/Form.tsx';
import { usePagesInfo } from '../data/client.ts';
import { createOwnConnector, useReconnectTo } from './ownConnector.ts';
import { chainId } from './useWallet.tsx';

/** Null on every chain but the embedded one, and where this browser cannot reach it. */
export function useVisitorRpc(): string | null {
  const rpcUrl = usePagesInfo().data?.embeddedRpcUrl ?? null;
  return rpcUrl !== null && localHosts.has(location.hostname) ? rpcUrl : null;
}

/** The embedded chain listens on the loopback address. */
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

type VisitorButtonProps = { rpcUrl: string; isMain?: boolean; onDone?: () => void };

export function VisitorButton({ rpcUrl, isMain = false, onDone }: VisitorButtonProps) {
  // Called also if the page shows something else once the wallet is connected.
  const { mutate: connect, error, isPending } = useConnect({ mutation: { onSuccess: () => onDone?.() } });
  return (
    <>
      <Button
        is={isMain ? 'main' : undefined}
        isBusy={isPending}
        busyLabel="Getting test money…"
        onClick={() => connect({ connector: createVisitor(rpcUrl), chainId })}
      >
        Try as a visitor
      </Button>
      <Failure
        text={error === null ? null : `The embedded chain did not answer: ${error.message.split('\n')[0]}`}
      />
    </>
  );
}

/** A visitor stays the same one after a reload. */
export function useVisitorReconnect(): void {
  const rpcUrl = useVisitorRpc();
  useReconnectTo(visitorId, rpcUrl === null ? null : () => createVisitor(rpcUrl));
}

const visitorId = 'svcVisitor';

function createVisitor(rpcUrl: string) {
  return createOwnConnector(visitorId, 'Visitor', async () =>
    (await import('./visitorWallet.ts')).openVisitorWallet(rpcUrl),
  );
}
