// Sends money back to a payer. The refund is an authorization (ERC-3009) whose number follows from the payment, so the token
// itself pays it once, however often it is sent.

import { testUsdcAbi } from '@svc/contracts/abi';
import { createSender, type Deployment, type Rpc } from '@svc/sdk/chain';
import { signDocument } from '@svc/sdk/client';
import { createKeyClients } from '@svc/sdk/internal/chain/chainClient';
import { chainIdentity } from '@svc/sdk/internal/chain/deployment';
import { encodeFunctionData, formatUnits, type Hex, keccak256, parseSignature, stringToHex } from 'viem';
import { buildUsdcPaymentTypedData } from '../contract/usdcPayment.ts';
import { OperatorError } from '../errors/operatorError.ts';
import type { LedgerEntry, PaymentLedger } from '../store/paymentLedger.ts';
import type { PaymentKey } from '../store/payments.ts';
import { findTransfer, readHeadNumber, readTransfer, searchedBlocks } from './findTransfer.ts';

export type RefundNeeds = {
  readonly ledger: Pick<PaymentLedger, 'load' | 'beginRefund' | 'endRefund'>;
  readonly rpc: Rpc;
  readonly deployment: Deployment;
  /** Of the account whose USDC goes back; it pays the gas as well. */
  readonly key: Hex;
};

/** Throws REFUND_REFUSED where nothing is to be refunded, or the account has too little. Returns the transaction. */
export async function refundPayment(needs: RefundNeeds, payment: PaymentKey, now: number): Promise<Hex> {
  const { ledger, rpc, deployment } = needs;
  const { chainId, usdc, usdcDomain } = deployment;
  const { publicClient, walletClient } = createKeyClients(rpc, needs.key, chainId);
  const from = walletClient.account.address;
  const token = { address: usdc, abi: testUsdcAbi } as const;
  const name = `svc refund ${chainIdentity(deployment)} ${payment.payer} ${payment.nonce}`.toLowerCase();
  const nonce = keccak256(stringToHex(name));
  const known = await ledger.load(payment);
  if (known === null) throw refused('there is no such payment in the ledger');
  const value = BigInt(known.amount);
  const isSent = () =>
    publicClient.readContract({ ...token, functionName: 'authorizationState', args: [from, nonce] });
  const balance = await publicClient.readContract({ ...token, functionName: 'balanceOf', args: [from] });
  if (known.state !== 'refunding' && balance < value)
    throw refused(`${from} has ${formatUnits(balance, 6)} USDC, and ${formatUnits(value, 6)} are needed`);
  if (known.state === 'settled' && !(await isPaid(known)))
    throw refused(
      'its transfer is not on the chain: a fork has taken it away, or this node has forgotten it',
    );
  const begun = await ledger.beginRefund(payment, from, now);
  if (begun === null) throw refused(`it is ${known.state}, in use, or being refunded from another account`);
  if (await isSent()) return end(await findSent());
  const message = { from, to: known.payer, value, validAfter: 0n, validBefore: 2n ** 256n - 1n, nonce };
  const domain = { ...usdcDomain, chainId, verifyingContract: usdc };
  const signature = await signDocument(walletClient.account, buildUsdcPaymentTypedData(domain, message));
  const { r, s, yParity } = parseSignature(signature);
  const data = encodeFunctionData({
    ...token,
    functionName: 'transferWithAuthorization',
    args: [from, known.payer, value, 0n, message.validBefore, nonce, 27 + yParity, r, s],
  });
  const sender = createSender({ publicClient, walletClient });
  const { transactionHash, status } = await sender.send({ to: usdc, data }, { isSignedOnce: false });
  if (status !== 'success') throw refused('the transfer reverted');
  return end(transactionHash);

  async function isPaid({
    txHash,
    payer,
    nonce,
    paidNonce,
    payTo,
    sinceBlock,
  }: LedgerEntry): Promise<boolean> {
    const wanted = { payer, nonce: paidNonce ?? nonce, asset: usdc, payTo, amount: value, sinceBlock };
    return txHash !== null && (await readTransfer(rpc, txHash, wanted)) === 'paid';
  }

  async function end(txHash: Hex): Promise<Hex> {
    await ledger.endRefund(payment, txHash);
    return txHash;
  }

  /** After an interruption between the sending and the row, which mostly was not long ago: the newest blocks come first. */
  async function findSent(): Promise<Hex> {
    const sent = { payer: from, nonce, asset: usdc, payTo: begun?.payer ?? from, amount: value };
    const paidBlock = begun?.sinceBlock ?? 0;
    const head = Math.max(paidBlock, await readHeadNumber(rpc));
    for (let end = head; end >= paidBlock; end -= searchedBlocks) {
      const sinceBlock = Math.max(paidBlock, end - searchedBlocks);
      const found = await findTransfer(rpc, { ...sent, sinceBlock });
      if (found !== null) return found.txHash;
    }
    throw refused(`it was sent before, by an authorization of ${from} with number ${nonce}`);
  }
}

function refused(reason: string): OperatorError {
  return new OperatorError('REFUND_REFUSED', { reason });
}
