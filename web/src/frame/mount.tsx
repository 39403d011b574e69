// Renders the app into its document: the frame, and in it the screen of the address. An error shows a message instead.
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WagmiProvider } from 'wagmi';
import { Button, Failure } from '../components/Form.tsx';
import { followLinks } from '../components/navigation.tsx';
import { queries } from '../data/client.ts';
import { pageNameOf } from '../data/pageList.ts';
import { walletConfig } from '../wallet/useWallet.tsx';
import { Shell } from './Shell.tsx';
import '../style/page.css';

export function mount(screen: ReactNode): void {
  const container = document.getElementById('root');
  if (container === null) throw new Error('the document has no root');
  let hasFailed = false;
  const stopFollowing = followLinks((path) => pageNameOf(path) !== null);
  const root = createRoot(container, {
    onUncaughtError: (error) => {
      reportError(error);
      // After an error a link loads a document again.
      stopFollowing();
      // A second error comes from the frame itself.
      root.render(hasFailed ? <PageError /> : withFrame(<PageError />));
      hasFailed = true;
    },
  });
  root.render(withFrame(screen));
  keepClicks();
}

function withFrame(page: ReactNode): ReactNode {
  return (
    <StrictMode>
      <WagmiProvider config={walletConfig}>
        <QueryClientProvider client={queries}>
          <Shell>{page}</Shell>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>
  );
}
/**
 * A click belongs to what was pressed. Where the page moves between press and release, because something above has just
 * loaded, the browser would give it to whatever has come under the pointer.
 */
function keepClicks(): void {
  let pressed: { readonly control: HTMLElement; readonly x: number; readonly y: number } | null = null;
  const press = ({ target, clientX: x, clientY: y }: PointerEvent) => {
    const control = target instanceof Element ? target.closest<HTMLElement>('button, a, summary') : null;
    pressed = control && { control, x, y };
  };
  const click = (event: MouseEvent) => {
    const { control, x, y } = pressed ?? {};
    pressed = null;
    if (control === undefined || x === undefined || y === undefined) return;
    if (control.contains(event.target as Node)) return;
    // Moving the pointer away takes the click back.
    if (Math.hypot(event.clientX - x, event.clientY - y) > 4) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    control.click();
  };
  addEventListener('pointerdown', press, { capture: true });
  addEventListener('click', click, { capture: true });
}

function PageError() {
  return (
    <Failure text="This page has stopped because of an error in it. Transactions that you signed are not affected, and nothing else was sent.">
      <Button onClick={() => location.reload()}>Reload the page</Button>
    </Failure>
  );
}
