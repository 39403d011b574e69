// `svc payments`: the ledger of x402 payments, for the operator of a gateway.

import { formatUnits } from 'viem';
import { openPaymentOperator, type PaymentEntry, paymentStates } from '../app/paymentOperator.ts';
import { defineVerbs, parseOneOf, parseWhole, text, type Usage, usageError } from './options.ts';

export const usage = {
  command: 'payments',
  synopsis: ['list [--state <state>] [--limit <n>]', 'reconcile', 'refund <payer> <nonce>'],
  about:
    'Shows x402 payments that nothing was given for, compares them with the chain and sends them back. For the operator: it works on the rows in SVC_DATA_DIR or DATABASE_URL, beside the gateways, and on the market of SVC_DEPLOYMENT.',
  words: 3,
  wordList: {
    list: 'payments without an answer or a refund, oldest first: settling may have reached the chain, settled is a credit of its payer, refunding was interrupted',
    reconcile: 'look up on the chain how payments ended that are settling; gateways do so as well',
    refund:
      'send the USDC of a settled payment back, from the account of PRIVATE_KEY; repeating it sends nothing twice',
  },
  options: {
    state: text(
      '<state>',
      `list: payments in this state: ${paymentStates.join(', ')}`,
      parseOneOf(paymentStates),
    ),
    limit: text('<n>', 'list: how many; default 50', parseWhole(1_000), 50),
  },
  json: 'print the result as one line of JSON',
  examples: ['svc payments list', 'svc payments reconcile --json'],
} as const satisfies Usage;

export const run = defineVerbs(usage, async ({ verb, values, words, say }, config) => {
  const [, payer = '', nonce = ''] = words;
  if (verb === 'refund' && nonce === '')
    throw usageError('refund needs the payer’s address and the nonce of the payment.');
  const operator = await openPaymentOperator(config);
  try {
    if (verb === 'list') {
      const payments = await operator.list(values.state && [values.state], values.limit);
      const lines = payments.length === 0 ? ['There are none.'] : payments.map(format);
      say({ payments: payments.map(show) }, ...lines);
    } else if (verb === 'reconcile') {
      const found = await operator.reconcile();
      say(found, `Found paid: ${found.settled}. Expired unpaid: ${found.void}.`);
    } else {
      const txHash = await operator.refund(payer, nonce);
      say({ txHash }, `It is refunded by ${txHash}.`);
    }
  } finally {
    await operator.close();
  }
});

/** Without the payer's signature and the answer. */
function show({ payer, nonce, state, purpose, amount, payTo, txHash, createdAt, refundHash }: PaymentEntry) {
  return { payer, nonce, state, purpose, amount, payTo, txHash, createdAt, refundHash };
}

function format({ payer, nonce, state, purpose, amount, createdAt, txHash }: PaymentEntry): string {
  const since = new Date(createdAt * 1_000).toISOString();
  return `${state}  ${formatUnits(BigInt(amount), 6)} USDC  ${since}  ${purpose}  ${payer} ${nonce}  ${txHash ?? ''}`;
}
