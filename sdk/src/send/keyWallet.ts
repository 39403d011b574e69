// A wallet that is a key in this process. It signs and sends at once, without asking anybody, and keeps what it has signed
// before it sends it, so that a process that dies never makes the next one send it twice.
import type { Hex, LocalAccount, TypedDataDefinition } from 'viem';
import { createWalletClient, parseTransaction, type Transport } from 'viem';
import { type ChainClients, createChainClient } from '../chain/chainClient.ts';
import { SvcError } from '../domain/errors.ts';
import type { Notes } from './journal.ts';
import { createSender, type Signed } from './keySender.ts';
import type { Asked, Wallet } from './wallet.ts';

/** `privateKeyToAccount(key)` of viem, or any other account that signs transactions here. */
export type SigningAccount = Pick<LocalAccount, 'address' | 'signTransaction' | 'signTypedData'>;

/** A wallet of the runner that signs with an account in this process. `transport` of viem reaches the chain, such as `http(rpcUrl)`. */
export function createKeyWallet(account: SigningAccount, transport: Transport, notes: Notes): Wallet {
  return createClientWallet(
    {
      publicClient: createChainClient({ transport, cacheTime: 0 }),
      walletClient: createWalletClient({ transport, account: account as LocalAccount }) as never,
    },
    notes,
  );
}

export function createClientWallet(clients: ChainClients, notes: Notes): Wallet {
  const { publicClient } = clients;
  const { account } = clients.walletClient;
  const sender = createSender(clients);
  const load = (id: string) => loadSigned(notes, id);
  const find = (id: string) =>
    findSigned(notes, id, async (hash) => {
      const receipt = await publicClient.getTransactionReceipt({ hash }).catch(() => null);
      return receipt !== null;
    });

  return {
    address: account.address,
    answers: 'now',
    batches: async () => 'none',
    send: async (id, calls) => {
      const [call, ...more] = calls;
      if (call === undefined || more.length > 0)
        throw new SvcError('WALLET_REJECTED', { reason: 'a key sends one call at a time' });
      if ((await load(id)) === null) {
        const { to, data, value } = call;
        await sender
          .begin(
            { to, data, value: BigInt(value) },
            // Throwing here keeps the sender from sending what is not kept.
            { onSigned: (signed) => notes.write(id, JSON.stringify([signed])) },
          )
          .catch(async (error: unknown) => {
            // What is signed and kept may still be sent.
            if ((await load(id)) === null) throw error;
          });
      }
      return find(id);
    },
    sign: async (_, typedData) => ({
      is: 'signed',
      signature: await account.signTypedData(typedData as unknown as TypedDataDefinition),
    }),
    find,
    keep: async (id) => {
      const kept = await load(id);
      const last = kept?.at(-1);
      if (kept === null || last === undefined) return;
      await sender.submit(last).catch((error: unknown) => {
        if (!(error instanceof SvcError) || error.code !== 'TRANSACTION_UNDERPRICED') throw error;
      });
      await sender.raise(last, (signed) => notes.write(id, JSON.stringify([...kept, signed])));
    },
  };
}

/** The first one, and those that replace it under the same nonce. One of them is mined at most. */
async function loadSigned(notes: Notes, id: string): Promise<readonly Signed[] | null> {
  const text = await notes.read(id);
  return text === null ? null : (JSON.parse(text) as Signed[]);
}

/** What a key has signed under this id. Needs no key. */
export async function findSigned(
  notes: Notes,
  id: string,
  isMined: (hash: Hex) => Promise<boolean>,
): Promise<Asked> {
  const kept = await loadSigned(notes, id);
  const [first] = kept ?? [];
  if (kept === null || first === undefined) return { is: 'none' };
  const { nonce = 0 } = parseTransaction(first.raw);
  const mined = kept.length === 1 ? [] : await Promise.all(kept.map(({ hash }) => isMined(hash)));
  const { hash } = kept[mined.indexOf(true)] ?? (kept.at(-1) as Signed);
  return { is: 'sent', hashes: [hash], exact: { nonce, signed: kept.map((one) => one.hash) } };
}
