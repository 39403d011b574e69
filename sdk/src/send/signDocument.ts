// Signs typed data of the market that no run is about: sessions, messages, terms, receipts.
import type { Account, Client, Hex, WalletClient } from 'viem';
import { signTypedData } from 'viem/actions';
import type { Address } from '../domain/address.ts';

/** A viem account that signs locally, a wallet client with an account, or any other signer of typed data. */
export type DocumentSigner =
  | { readonly address: Address; readonly signTypedData: (typedData: never) => Promise<Hex> }
  | (Pick<WalletClient, 'request'> & { readonly account: Account });

/** The signature of the signer over typed data (EIP-712). */
export function signDocument(signer: DocumentSigner, typedData: object): Promise<Hex> {
  return 'account' in signer
    ? signTypedData(signer as unknown as Client, { ...typedData, account: signer.account } as never)
    : signer.signTypedData(typedData as never);
}
