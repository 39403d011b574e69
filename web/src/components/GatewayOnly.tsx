// What only the gateway can show; elsewhere a sentence says where it is.
import type { ReactNode } from 'react';
import { usePagesInfo } from '../data/pages.ts';
import { Answer } from './Answer.tsx';

export function GatewayOnly({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const info = usePagesInfo();
  return (
    <Answer of={info} what={what}>
      {({ isGateway, gatewayUrl }) => {
        if (isGateway) return children;
        return (
          <p className="notice">
            {gatewayUrl === null ? (
              'This is shown by the gateway. Start it with npm start, or with svc gateway beside this site.'
            ) : (
              <>
                This is shown by the gateway:{' '}
                <a href={`${gatewayUrl}${location.pathname}${location.search}`}>open this page there</a>.
              </>
            )}
          </p>
        );
      }}
    </Answer>
  );
}
