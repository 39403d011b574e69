// A real EVM with JSON-RPC on loopback, for tests that start something on a chain.
import { createHardhatRuntimeEnvironment } from 'hardhat/hre';
import { createPublicClient, createWalletClient, defineChain, type Hex, http, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { testUsdcBytecode } from '#contracts/generated/bytecode/testUsdc.ts';
import type { ChainClients } from '#sdk/chain/chainClient.ts';
import type { Address } from '#sdk/domain/address.ts';

export type EmbeddedChain = Awaited<ReturnType<typeof startEmbeddedChain>>;

/** Keys of the first accounts that every development chain funds. */
export const keys = {
  deployer: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  owner: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  other: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
} as const satisfies Record<string, Hex>;

export const addresses = {
  deployer: privateKeyToAccount(keys.deployer).address,
  owner: privateKeyToAccount(keys.owner).address,
  other: privateKeyToAccount(keys.other).address,
};

export async function startEmbeddedChain(chainId = 8453) {
  const hre = await createHardhatRuntimeEnvironment({
    networks: { embedded: { type: 'edr-simulated', chainType: 'l1', hardfork: 'cancun', chainId } },
  });
  const server = await hre.network.createServer('embedded', '127.0.0.1', 0);
  const { address, port } = await server.listen();
  const url = `http://${address}:${port}`;
  const publicClient = createPublicClient({ transport: http(url) }) as PublicClient;
  return { url, publicClient, close: () => server.close() };
}

export function connect(url: string, key: Hex): ChainClients {
  const transport = http(url);
  return {
    publicClient: createPublicClient({ transport }),
    walletClient: createWalletClient({ transport, account: privateKeyToAccount(key) }),
  };
}

/** Uses a separate account, so that the deployer's nonces do not change. */
export async function deployUsdc({ url, publicClient }: EmbeddedChain): Promise<Address> {
  const { walletClient } = connect(url, keys.other);
  const hash = await walletClient.deployContract({
    abi: testUsdcAbi,
    bytecode: testUsdcBytecode,
    chain: defineChain({
      id: await publicClient.getChainId(),
      name: 'embedded',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    }),
  });
  const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash, pollingInterval: 25 });
  if (!contractAddress) throw new Error('USDC was not deployed.');
  return contractAddress;
}
