// The gateway's settings that depend on where it runs: over the embedded chain, or over a deployed market.

import type { Hash } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { Config } from '#config.ts';
import { loadGatewayKey } from './gatewayKey.ts';
import type { FacilitatorChoice } from './gatewayMoney.ts';

/** `embeddedKey` belongs to an account of the embedded chain; elsewhere nothing is settled without a key of one's own. */
export function readGatewaySettings(config: Config, embeddedKey?: Hash) {
  return {
    gatewayKey: (config.gatewayKey?.reveal() as Hash | undefined) ?? loadGatewayKey(config.dataDir),
    facilitator: chooseFacilitator(config, embeddedKey),
    payTo: config.payTo,
    claimPriceUsdc: config.claimPriceUsdc,
    isPaidDiscovery: config.paidDiscovery,
    confirmations: config.confirmations,
    publicUrl: config.gatewayPublicUrl,
    host: config.host,
    port: config.gatewayPort,
  };
}

function chooseFacilitator(config: Config, embeddedKey: Hash | undefined): FacilitatorChoice {
  const key = (config.facilitatorKey?.reveal() as Hash | undefined) ?? embeddedKey;
  const choice = config.facilitator ?? (key === undefined ? 'off' : 'local');
  if (choice === 'off') return { kind: 'off' };
  if (choice !== 'local') return { kind: 'remote', url: choice };
  if (key === undefined) throw new SvcError('FACILITATOR_KEY_MISSING', {});
  return { kind: 'local', key };
}
