// The frame of every page: where one is, how fresh what one sees is, light or dark, and the wallet.

import { navigation } from '@svc/sdk/schemas';
import type { ReactNode } from 'react';
import { useLive } from '../data/live.ts';
import { WalletButton } from '../wallet/WalletButton.tsx';
import { Pulse } from './Pulse.tsx';
import { ThemeButton } from './ThemeButton.tsx';

export function Shell({ children }: { readonly children: ReactNode }) {
  useLive();
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="masthead">
        <div className="frame">
          <a className="brand" href="/">
            <img src="/icon.svg" alt="" width="24" height="24" />
            svc
          </a>
          <nav aria-label="Pages">
            {navigation.map(([href, name]) => (
              <a key={href} href={href} aria-current={location.pathname === href ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </nav>
          <div className="tools">
            <ThemeButton />
            <WalletButton />
          </div>
        </div>
      </header>
      <main id="content" className="frame" tabIndex={-1}>
        {children}
      </main>
      <footer className="footer">
        <div className="frame">
          <Pulse />
          <a className="quiet" href="/docs/api">
            API
          </a>
          <a className="quiet" href="/openapi.yaml">
            OpenAPI
          </a>
          <span>Everything here is read from the chain. Your keys stay in your wallet.</span>
        </div>
      </footer>
    </>
  );
}
