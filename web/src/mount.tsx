// Puts a page into its document, with what all pages share.
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WagmiProvider } from 'wagmi';
import { Shell } from './components/Shell.tsx';
import { queries } from './data/client.ts';
import { walletConfig } from './wallet/config.ts';
import './style/page.css';

export function mount(page: ReactNode): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('the document has no root');
  createRoot(root).render(
    <StrictMode>
      <WagmiProvider config={walletConfig}>
        <QueryClientProvider client={queries}>
          <Shell>{page}</Shell>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  );
}
