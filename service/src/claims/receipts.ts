// Issues and redeems readiness receipts: EIP-712, bound to payer, action, task and registry, for 300 seconds and once.
import { createHmac, randomBytes } from 'node:crypto';
import { signDocument } from '@svc/sdk/client';
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { gatewayDomain } from '@svc/sdk/internal/domain/sessionDocument';
import type { FeeAction } from '@svc/sdk/internal/domain/state';
import { buildTypedData } from '@svc/sdk/internal/domain/typedData';
import { type Hex, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Receipt, receiptHeader, receiptSchema } from '../contract/claiming.ts';

export type ReceiptSubject = {
  readonly payer: Address;
  readonly action: FeeAction;
  /** Empty for a post. */
  readonly taskId: string;
  readonly registry: Address;
};

export type ReceiptNeeds = {
  readonly key: Hex;
  /** Its receipts count as well: the previous or the next key, while all gateways change theirs. */
  readonly otherKey?: Hex | undefined;
  readonly chainId: number;
  readonly now: () => number;
  /** What only the gateways of one database know. */
  readonly loadReceiptSecret: () => Promise<string>;
  /** Answers whether this was the first use. */
  readonly spendReceipt: (nonce: string, now: number) => Promise<boolean>;
  /** Forgets some that were used before that moment. */
  readonly forgetReceipts: (before: number) => Promise<void>;
};

export type ReceiptService = ReturnType<typeof createReceiptService>;

export const receiptSeconds = 300;
/** Far longer than a receipt lasts: clocks may go back, and those of two gateways differ. */
const rememberedSeconds = 7 * 86_400;

const wallets = { payer: 'address', action: 'string', taskId: 'string', registry: 'address' };
const fields = { ...wallets, expiresAt: 'uint256', nonce: 'bytes32' };

export function createReceiptService(needs: ReceiptNeeds) {
  const { key, otherKey, chainId, now, spendReceipt, forgetReceipts } = needs;
  const account = privateKeyToAccount(key);
  const signers = [key, ...(otherKey === undefined ? [] : [otherKey])].map(
    (one) => privateKeyToAccount(one).address,
  );
  const domain = gatewayDomain(chainId);

  const documentOf = ({ expiresAt, ...rest }: Omit<Receipt, 'signature'>) =>
    buildTypedData(domain, 'PaymentReceipt', fields, { ...rest, expiresAt: BigInt(expiresAt) });

  /**
   * The second half of a nonce proves that it was made with this database. Gateways with the same key and separate databases
   * would otherwise each let a receipt in once.
   */
  async function completeNonce(random: string): Promise<Hex> {
    const mark = createHmac('sha256', await needs.loadReceiptSecret())
      .update(random)
      .digest('hex');
    return `0x${random}${mark.slice(0, 32)}`;
  }

  const isIssuedHere = async ({ nonce }: Receipt): Promise<boolean> =>
    nonce.toLowerCase() === (await completeNonce(nonce.slice(2, 34).toLowerCase()));

  async function isOurs({ signature, ...document }: Receipt): Promise<boolean> {
    try {
      const signer = await recoverTypedDataAddress({
        ...documentOf(document),
        signature,
      });
      return signers.some((address) => isSameAddress(signer, address));
    } catch {
      return false;
    }
  }

  return {
    issue: async (subject: ReceiptSubject) => {
      const { payer, action, taskId, registry } = subject;
      const nonce = await completeNonce(randomBytes(16).toString('hex'));
      const document = { payer, action, taskId, registry, expiresAt: now() + receiptSeconds, nonce };
      const receipt: Receipt = { ...document, signature: await signDocument(account, documentOf(document)) };
      const value = Buffer.from(JSON.stringify(receipt)).toString('base64url');
      return { receipt, header: { name: receiptHeader, value } as const };
    },

    /** Null where it is no receipt of ours for this subject, or its time is over. Uses nothing up. */
    verify: async (value: string, subject: ReceiptSubject): Promise<Receipt | null> => {
      const receipt = parseReceipt(value);
      if (receipt === null || !isFor(receipt, subject) || receipt.expiresAt < now()) return null;
      return (await isOurs(receipt)) && (await isIssuedHere(receipt)) ? receipt : null;
    },

    /** False where it was used before. */
    redeem: async (receipt: Receipt): Promise<boolean> =>
      receipt.expiresAt >= now() && spendReceipt(receipt.nonce, now()),

    /** Forgets some of those that ran out long before `past`, a moment that has certainly passed. */
    forget: (past: number): Promise<void> => forgetReceipts(past - rememberedSeconds),
  };
}

function parseReceipt(value: string): Receipt | null {
  try {
    return receiptSchema.parse(JSON.parse(Buffer.from(value, 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

function isFor(receipt: Receipt, { payer, action, taskId, registry }: ReceiptSubject): boolean {
  return (
    isSameAddress(receipt.payer, payer) &&
    receipt.action === action &&
    receipt.taskId === taskId &&
    isSameAddress(receipt.registry, registry)
  );
}
