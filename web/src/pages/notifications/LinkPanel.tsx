// What the links of an e-mail open. Nothing happens without a button: mail scanners follow links.
import { Button } from '#components/Button.tsx';
import { Failure } from '#components/QueryView.tsx';
import { Sheet } from '#components/Sheet.tsx';
import { links } from '#data/notificationRequests.ts';
import { useAttempt } from '#wallet/useAttempt.ts';

export function LinkPanel({ purpose, token }: { purpose: 'confirm' | 'unsubscribe'; token: string }) {
  const confirming = useAttempt(() => links.confirm(token));
  const leaving = useAttempt(() => links.unsubscribe(token));
  const refusing = useAttempt(() => links.refuse(token));
  if (refusing.result !== undefined)
    return <Done>No wallet can add your address here again. This gateway has deleted it.</Done>;
  if (confirming.result !== undefined)
    return (
      <Done>
        Your address is confirmed. Notices are sent from now on. <a href="/my.html">Open my work</a>
      </Done>
    );
  if (leaving.result !== undefined)
    return <Done>You get no more notices at this address. It is deleted.</Done>;
  return (
    <Sheet title={purpose === 'confirm' ? 'Confirm your address' : 'Stop these notices'}>
      <p>
        {purpose === 'confirm'
          ? 'A wallet wants to send its notices to your address: when it is its turn, and when it was paid.'
          : 'Your address is deleted, and you get no more notices there.'}
      </p>
      <div className="row">
        {purpose === 'confirm' ? (
          <Button
            is="main"
            isBusy={confirming.isBusy}
            busyLabel="Confirming…"
            onClick={() => void confirming.start()}
          >
            Confirm
          </Button>
        ) : (
          <Button
            is="main"
            isBusy={leaving.isBusy}
            busyLabel="Stopping…"
            onClick={() => void leaving.start()}
          >
            Stop these notices
          </Button>
        )}
        <Button isBusy={refusing.isBusy} busyLabel="Saving…" onClick={() => void refusing.start()}>
          Never write to this address again
        </Button>
      </div>
      <Failure text={confirming.failure ?? leaving.failure ?? refusing.failure} className="error" />
    </Sheet>
  );
}

function Done({ children }: { children: React.ReactNode }) {
  return (
    <p className="notice" role="status">
      {children}
    </p>
  );
}
