// Puts a page into its document, with what all pages share, and words in its place should it break.
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WagmiProvider } from 'wagmi';
import { Broken } from './components/Broken.tsx';
import { Shell } from './components/Shell.tsx';
import { queries } from './data/client.ts';
import { walletConfig } from './wallet/config.ts';
import './style/page.css';

export function mount(page: ReactNode): void {
  const place = document.getElementById('root');
  if (place === null) throw new Error('the document has no root');
  let isBroken = false;
  const root = createRoot(place, {
    onUncaughtError: (error) => {
      reportError(error);
      // Without its frame where that is what breaks.
      root.render(isBroken ? <Broken /> : frame(<Broken />));
      isBroken = true;
    },
  });
  root.render(frame(page));
}

function frame(page: ReactNode): ReactNode {
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
