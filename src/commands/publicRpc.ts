// The public RPC of chain 8453.

/** What clients are told to use, and what is used where no provider is configured. */
export const publicRpcUrl = 'https://mainnet.base.org';
