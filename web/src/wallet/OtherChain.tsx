// Says that the wallet is on another chain, with the way back; in the place of whatever needs this one.
import { useSwitchChain } from 'wagmi';
import { chainId } from './config.ts';

export function OtherChain() {
  const { mutate: switchChain, isPending, error } = useSwitchChain();
  return (
    <div className="notice" data-is="time" role="status">
      <p>
        {error === null
          ? 'The wallet is on another chain; switch it to Base to go on.'
          : 'The wallet did not switch. Choose Base in the wallet itself.'}
      </p>
      <button type="button" className="button" disabled={isPending} onClick={() => switchChain({ chainId })}>
        {isPending ? 'Follow the wallet…' : 'Switch the wallet to Base'}
      </button>
    </div>
  );
}
