// Answers of the gateway, as its contract shows them.

const address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const registry = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const hash = `0x${'ab'.repeat(32)}`;
const meta = { protocolVersion: 'v2', asset: 'TOK', market: 'standard', source: 'chain-rpc' };
const fee = '1000000000000000000000';

export const reputationBoard = {
  count: 1,
  total: 1,
  agents: [
    {
      rank: 1,
      address,
      score: 27,
      completed: 3,
      won: 0,
      lost: 0,
      left: 1,
      dismissed: 0,
      earnedTokWei: '9000000000000000000000',
      posted: 0,
      claimed: 4,
      lastActive: 1_793_348_694,
    },
  ],
  meta,
};

export const verifierBoard = {
  count: 1,
  total: 1,
  verifiers: [
    {
      rank: 1,
      address,
      bondTokWei: '20000000000000000000000',
      resolved: 2,
      missed: 0,
      openCases: 1,
      eligible: true,
      minHeldTokWei: '0',
    },
  ],
  meta,
};

export const treasury = {
  count: 1,
  total: 1,
  totals: { balanceUsd: 45, lockedUsd: 5, freeUsd: 40, paused: 0, canEngage: 1 },
  agents: [
    {
      address,
      balanceUsd: 45,
      lockedUsd: 5,
      freeUsd: 40,
      paused: false,
      canEngage: true,
      recommended: true,
      engagements: 1,
    },
  ],
  meta,
};

export const treasuryHistory = {
  count: 2,
  points: [
    { time: 1_790_000_000, depositsUsd: 25, bondsTokWei: '0' },
    { time: 1_790_100_000, depositsUsd: 45, bondsTokWei: '10000000000000000000000' },
  ],
  meta,
};

export const fees = {
  accessFee: { tokWei: fee, actions: ['post', 'claim', 'dismiss', 'leave'] },
  collateral: { entryUsd: 25, recommendedUsd: 45, pauseUsd: 8, bondUsd: 5 },
  arbitratorMinBondTokWei: '10000000000000000000000',
  plans: [{ id: 'free', dailyLimit: 3, label: 'Free', priceUsdc: 0, periodDays: 30 }],
  claimPriceUsdc: '0.01',
  meta,
};

const check = {
  id: 'entry-collateral',
  ok: true,
  have: '45 USD',
  need: '25 USD',
  fix: null,
  required: true,
};

const receipt = {
  payer: address,
  action: 'claim',
  taskId: 'v2:standard:3',
  registry,
  expiresAt: 1_793_348_994,
  nonce: hash,
  signature: `0x${'cd'.repeat(65)}`,
};

export const receiptRequest = { payer: address, action: 'claim', taskId: 'v2:standard:3' };

export const receiptReply = {
  receipt,
  header: { name: 'X-Svc-Payment-Receipt', value: 'eyJwYXllciI6IjB4MTVkM…' },
  readiness: { ready: true, checks: [check] },
};

export const notReady = {
  error: 'The wallet is not ready for this: entry-collateral.',
  readiness: { ready: false, checks: [{ ...check, ok: false, have: '0 USD', fix: 'top-up' }] },
};

export const challenge = {
  error: 'Payment required: send a receipt or a payment.',
  x402Version: 1,
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '10000',
      resource: 'http://127.0.0.1:4020/v1/tasks/v2:standard:3/claim',
      description: 'The unsigned call that claims a task',
      mimeType: 'application/json',
      payTo: address,
      maxTimeoutSeconds: 300,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
  receipt: { url: 'http://127.0.0.1:4020/v1/payment-receipt', header: 'X-Svc-Payment-Receipt' },
};

const calls = [{ to: registry, value: '0x0', data: '0x4e71d92d' }];

export const claimRequest = { payer: address };

export const claim = {
  taskId: 'v2:standard:3',
  payer: address,
  chainId: 8453,
  calls,
  sendCalls: { chain: 'base', calls },
  eip5792: { version: '2.0.0', chainId: '0x2105', from: address, atomicRequired: false, calls },
  settlementDigest: hash,
  receipt,
};

export const walletRequestBody = {
  kind: 'calls',
  action: 'claim-task',
  summary: 'Claim task 3',
  chainId: 8453,
  from: address,
  calls,
  steps: [],
};

const requestId = 'pT0mF1Qc2Wq8xJk7bV3s9g';
const approvalUrl = `http://127.0.0.1:4020/approve.html?request=${requestId}`;

export const createdRequest = { requestId, approvalUrl, status: 'pending' };

export const requestResult = { status: 'submitted', transactionHashes: [hash] };

export const walletRequest = {
  requestId,
  approvalUrl,
  status: 'settled',
  request: walletRequestBody,
  transactionHashes: [hash],
  signature: null,
  error: null,
  createdAt: 1_793_348_694,
  expiresAt: 1_793_435_094,
  updatedAt: 1_793_348_700,
};
