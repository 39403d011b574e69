// What the links of an e-mail open. Nothing happens without a button: mail scanners follow links.
import { Button, Failure } from '../../components/Form.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { links } from '../../data/notificationRequests.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';

const words = {
  confirm: {
    title: 'Confirm your address',
    about: 'A wallet wants to send its notices to your address: when it is its turn, and when it was paid.',
    label: 'Confirm',
    busyLabel: 'Confirming…',
    done: (
      <>
        Your address is confirmed. Notices are sent from now on. <a href="/my.html">Open my work</a>
      </>
    ),
  },
  unsubscribe: {
    title: 'Stop these notices',
    about: 'Your address is deleted, and you get no more notices there.',
    label: 'Stop these notices',
    busyLabel: 'Stopping…',
    done: 'You get no more notices at this address. It is deleted.',
  },
};

export function LinkPanel({ purpose, token }: { purpose: keyof typeof words; token: string }) {
  const { title, about, label, busyLabel, done } = words[purpose];
  const acting = useAttempt(async () => {
    await links[purpose](token);
    return done;
  });
  const refusing = useAttempt(async () => {
    await links.refuse(token);
    return 'No wallet can add your address here again. This gateway has deleted it.';
  });
  const result = refusing.result ?? acting.result;
  if (result !== undefined)
    return (
      <p className="notice" role="status">
        {result}
      </p>
    );
  return (
    <Sheet title={title}>
      <p>{about}</p>
      <div className="row">
        <Button is="main" run={acting} busyLabel={busyLabel}>
          {label}
        </Button>
        <Button run={refusing} busyLabel="Saving…">
          Never write to this address again
        </Button>
      </div>
      <Failure text={acting.failure ?? refusing.failure} className="error" />
    </Sheet>
  );
}
