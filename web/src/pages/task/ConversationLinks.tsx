// From a task to its conversations, and a way to hand the task on.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { MessageSquare, Pencil, Share2 } from 'lucide-react';
import { Button } from '../../components/Form.tsx';
import { useCopying } from '../../components/Hex.tsx';
import { usePagesInfo } from '../../data/client.ts';
import { nameTask } from '../../data/format.ts';
import type { Task } from '../../data/market.ts';
import { useWallet } from '../../wallet/useWallet.tsx';

export function ConversationLinks({ task }: { task: Task }) {
  const address = useWallet()?.address;
  const isGateway = usePagesInfo().data?.isGateway === true;
  const { poster, worker, state, dispute } = task;
  const isMine = (party: string | undefined) =>
    party !== undefined && address !== undefined && isSameAddress(party as Address, address);
  const parties = { poster, worker };
  const isJudge = isMine(dispute?.judge ?? undefined);
  const others: readonly (keyof typeof parties)[] = isMine(poster)
    ? worker === undefined
      ? []
      : ['worker']
    : isJudge
      ? ['poster', 'worker']
      : ['poster'];
  const canApply = state === 'POSTED' && task.scope === 'open' && !isMine(poster);
  const linkTo = (role: keyof typeof parties) => `/messages.html?to=${parties[role]}&about=${task.id}`;
  return (
    <div className="row">
      {isGateway &&
        others.map((role) => (
          <a key={role} className="button" href={linkTo(role)}>
            <MessageSquare />
            {isMine(poster) || isMine(worker) ? 'Message' : `Ask the ${role}`}
          </a>
        ))}
      {isGateway && canApply && (
        <a className="button" href={`${linkTo('poster')}&propose=1`}>
          <Pencil />
          Offer other terms
        </a>
      )}
      <ShareButton title={nameTask(task)} />
    </div>
  );
}

/** Through the device where it can, else by copying the link. */
function ShareButton({ title }: { title: string }) {
  const [isCopied, copy] = useCopying();
  const share = async () => {
    if (navigator.share !== undefined) {
      try {
        await navigator.share({ title, url: location.href });
        return;
      } catch (error) {
        // The reader has closed the device's dialog.
        if (error instanceof DOMException && error.name === 'AbortError') return;
      }
    }
    await copy(location.href);
  };
  return (
    <Button is="plain" onClick={share}>
      <Share2 />
      <span aria-live="polite">
        {isCopied === null ? 'Share' : isCopied ? 'Link copied' : 'Copy the address of this page'}
      </span>
    </Button>
  );
}
