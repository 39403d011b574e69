// A smart wallet for tests: its word is the signature of one key (ERC-1271), and it forwards calls to any contract.
import {
  concatHex,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  hashTypedData,
  http,
  keccak256,
  type PublicClient,
  size,
  type TypedDataDefinition,
  toHex,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { parseUsdc } from '#sdk/domain/amount.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { base } from './baseChain.ts';
import type { Cast } from './cast.ts';

export type ContractWallet = {
  readonly address: Hex;
  readonly signTypedData: (typedData: object) => Promise<Hex>;
  /** Sends a call in the wallet's name. */
  readonly call: (to: Hex, data: Hex) => Promise<void>;
};

/** `isValidSignature` asks ecrecover; every other call is forwarded: 20 bytes of address, then the data. */
function runtimeOf(owner: Hex): Hex {
  const forward = '601436038060146000376000600082600060006000356060' + '1c5af1603157600080fd5b00';
  const verify =
    '5b600435600052' +
    '60a43560f81c602052' +
    '606435604052' +
    '608435606052' +
    '602060806080600060015afa50' +
    `60805173${owner.slice(2)}14` +
    '631626ba7e60e01b02' +
    '60005260206000f3';
  return `0x60003560e01c631626ba7e14603357${forward}${verify}`;
}

function initCodeOf(owner: Hex): Hex {
  const runtime = runtimeOf(owner);
  const length = toHex(size(runtime), { size: 1 }).slice(2);
  return `0x60${length}600c60003960${length}6000f3${runtime.slice(2)}`;
}

/** Deploys what it is called with by CREATE2: 32 bytes of salt, then the code. */
const factoryInitCode: Hex =
  '0x604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';

const magic6492: Hex = `0x${'6492'.repeat(16)}`;

/** Somebody with ether. */
export function connectOperator(rpcUrl: string) {
  const account = privateKeyToAccount(accountOf('operator').privateKey);
  return createWalletClient({ account, chain: base, transport: http(rpcUrl) });
}

export async function deployContractWallet(
  { client }: Pick<Cast, 'client'>,
  rpcUrl: string,
  owner: PrivateKeyAccount,
): Promise<ContractWallet> {
  const sender = connectOperator(rpcUrl);
  const address = await deploy(client, rpcUrl, initCodeOf(owner.address));
  return {
    address,
    signTypedData: (typedData) => owner.signTypedData(typedData as never),
    call: async (to, data) => {
      const hash = await sender.sendTransaction({ to: address, data: concatHex([to, data]) });
      await client.waitForTransactionReceipt({ hash });
    },
  };
}

/** A wallet that is not deployed: its signature carries the call that would deploy it (ERC-6492). */
export async function describeUndeployedWallet(
  { client }: Pick<Cast, 'client'>,
  rpcUrl: string,
  owner: PrivateKeyAccount,
): Promise<ContractWallet> {
  const factory = await deploy(client, rpcUrl, factoryInitCode);
  const salt = toHex(0, { size: 32 });
  const bytecode = initCodeOf(owner.address);
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt,
    bytecodeHash: keccak256(bytecode),
  });
  return {
    address,
    signTypedData: async (typedData) => {
      const inner = await owner.sign({ hash: hashTypedData(typedData as TypedDataDefinition) });
      const parts = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const;
      return concatHex([
        encodeAbiParameters(parts, [factory, concatHex([salt, bytecode]), inner]),
        magic6492,
      ]);
    },
    call: () => Promise.reject(new Error('the wallet is not deployed')),
  };
}

/** Deposits the entry collateral in the wallet's name. */
export async function enterContractWallet(cast: Cast, wallet: ContractWallet): Promise<void> {
  const { usdc, deposits } = cast.contracts;
  const amount = parseUsdc('45');
  await cast.poster.write(usdc, 'mint', [wallet.address, amount]);
  await wallet.call(
    usdc.address,
    encodeFunctionData({ ...usdc, functionName: 'approve', args: [deposits.address, amount] }),
  );
  await wallet.call(
    deposits.address,
    encodeFunctionData({ ...deposits, functionName: 'topUp', args: [amount] }),
  );
}

export async function deploy(client: PublicClient, rpcUrl: string, data: Hex): Promise<Hex> {
  const hash = await connectOperator(rpcUrl).sendTransaction({ data });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('nothing was deployed');
  return getAddress(contractAddress);
}
