// Renders a page into its document inside the shared frame; an error in the page shows a message instead.
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WagmiProvider } from 'wagmi';
import { queries } from '#data/client.ts';
import { walletConfig } from '#wallet/useWallet.tsx';
import { Shell } from './Shell.tsx';
import '../style/page.css';

export function mount(page: ReactNode): void {
  const container = document.getElementById('root');
  if (container === null) throw new Error('the document has no root');
  let hasFailed = false;
  const root = createRoot(container, {
    onUncaughtError: (error) => {
      reportError(error);
      // A second error comes from the frame itself.
      root.render(hasFailed ? <PageError /> : withFrame(<PageError />));
      hasFailed = true;
    },
  });
  root.render(withFrame(page));
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

function PageError() {
  return (
    <div className="notice" data-is="risk" role="alert">
      <p>
        This page has stopped because of an error in it. Transactions that you signed are not affected, and
        nothing else was sent.
      </p>
      <button type="button" className="button" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  );
}
