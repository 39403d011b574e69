// The wallets a visitor brings: found by EIP-6963, asked through their own connection, so that a page never calls a
// stranger's server by itself.
import { createConfig, injected, unstable_connector } from 'wagmi';
import { base } from 'wagmi/chains';

export const walletConfig = createConfig({
  chains: [base],
  multiInjectedProviderDiscovery: true,
  transports: { [base.id]: unstable_connector(injected) },
});

export const chainId = base.id;
