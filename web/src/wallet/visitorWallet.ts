// The wallet of a visitor on the embedded chain: a key made in this browser, with test money. Everything that it signs was
// confirmed on the page already. It exists only where the server says that its chain is the embedded one.
import { createPublicClient, createWalletClient, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { chain } from '#data/chain.ts';
import { readText, saveText } from '#data/savedText.ts';

const keyName = 'visitor-key';

/** Whether this browser has a visitor's wallet already. */
export function hasVisitorKey(): boolean {
  return readKey() !== null;
}

function readKey(): Hex | null {
  const text = readText(keyName);
  return /^0x[0-9a-f]{64}$/.test(text) ? (text as Hex) : null;
}

function keepKey(): Hex {
  const key = readKey() ?? generatePrivateKey();
  saveText(keyName, key);
  return key;
}

type Request = { readonly method: string; readonly params?: readonly unknown[] };

/** An EIP-1193 provider; `fund` gives a new wallet its test money. */
export function openVisitorWallet(rpcUrl: string) {
  const account = privateKeyToAccount(keepKey());
  const transport = http(rpcUrl);
  const reader = createPublicClient({ chain, transport });
  const signer = createWalletClient({ account, chain, transport });
  const send = ({ to, data, value, gas }: { to: Hex; data?: Hex; value?: Hex; gas?: Hex }) =>
    signer.sendTransaction({
      to,
      ...(data !== undefined && { data }),
      ...(value !== undefined && { value: BigInt(value) }),
      ...(gas !== undefined && { gas: BigInt(gas) }),
    });
  const request = async ({ method, params = [] }: Request): Promise<unknown> => {
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return [account.address];
      case 'eth_chainId':
        return `0x${chain.id.toString(16)}`;
      case 'eth_sendTransaction':
        return send(params[0] as Parameters<typeof send>[0]);
      case 'eth_signTypedData_v4':
        return account.signTypedData(JSON.parse(String(params[1])));
      case 'personal_sign':
        return account.signMessage({ message: { raw: params[0] as Hex } });
      default:
        return reader.request({ method, params } as never);
    }
  };
  return {
    address: account.address,
    provider: { request },
    fund: async (): Promise<void> => {
      if ((await reader.getBalance({ address: account.address })) > 0n) return;
      await reader.request({ method: 'svc_fund', params: [account.address] } as never);
    },
  };
}
