// The wallet of a visitor on the embedded chain: a key made in this browser, with test money. Everything that it signs was
// confirmed on the page already. It exists only where the server says that its chain is the embedded one.
import { createClient, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { getBalance, sendTransaction } from 'viem/actions';
import { chain } from '../data/chain.ts';
import { readText, saveText } from '../data/savedText.ts';
import type { OwnWallet } from './ownConnector.ts';
import { createProvider } from './ownProvider.ts';

const keyName = 'visitor-key';
/** Set while the visitor has disconnected: a reload must not connect again. */
const leftName = 'visitor-left';

function readKey(): Hex | null {
  const text = readText(keyName);
  return /^0x[0-9a-f]{64}$/.test(text) ? (text as Hex) : null;
}

type Transaction = { readonly to: Hex; readonly data?: Hex; readonly value?: Hex; readonly gas?: Hex };

export function openVisitorWallet(rpcUrl: string): OwnWallet {
  const key = readKey() ?? generatePrivateKey();
  const account = privateKeyToAccount(key);
  const { address } = account;
  const client = createClient({ account, chain, transport: http(rpcUrl) });
  const accounts = () => (readKey() === null || readText(leftName) !== '' ? [] : [address]);
  return {
    accounts,
    provider: createProvider(rpcUrl, accounts, {
      eth_sendTransaction: ([transaction]) => {
        const { to, data, value, gas } = transaction as Transaction;
        return sendTransaction(client, {
          to,
          ...(data !== undefined && { data }),
          ...(value !== undefined && { value: BigInt(value) }),
          ...(gas !== undefined && { gas: BigInt(gas) }),
        });
      },
      eth_signTypedData_v4: ([, typedData]) => account.signTypedData(JSON.parse(String(typedData))),
      personal_sign: ([raw]) => account.signMessage({ message: { raw: raw as Hex } }),
    }),
    connect: async (isReconnecting) => {
      saveText(keyName, key);
      saveText(leftName, '');
      // A new wallet gets test money.
      if (isReconnecting || (await getBalance(client, { address })) > 0n) return;
      await client.request({ method: 'svc_fund', params: [address] } as never);
    },
    // The visitor is the same one next time.
    end: async () => saveText(leftName, 'yes'),
  };
}
