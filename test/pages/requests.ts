// Wallet requests as tools create them: ordinary calls, a call to an unknown contract, terms to sign.
import assert from 'node:assert/strict';
import { stringify } from 'viem';
import { encodeApprove } from '#sdk/actions/approvals.ts';
import { encodeTopUp } from '#sdk/actions/collateral.ts';
import { type CallContracts, encodeCall, joinCalls } from '#sdk/chain/encodeCall.ts';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import { buildTermsTypedData, hashCriteria, hashMilestones } from '#sdk/domain/terms.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { gateway } from './scene.ts';

export const owner = accountOf('newcomer');

export type Asked = { readonly requestId: string; readonly path: string };

export async function askForTopUp(usdc = '12.5', decidedBy = 'owner'): Promise<Asked> {
  const { body: site } = await gateway.get('/api/site-config?market=standard');
  const contracts = site.contracts as CallContracts;
  const amount = parseUsdc(usdc);
  const joined = joinCalls(
    encodeApprove(contracts, 'USDC', 'depositVault', amount),
    encodeTopUp(contracts, amount),
  );
  return ask({
    kind: 'calls',
    action: 'top-up',
    summary: 'Top up my collateral',
    decidedBy,
    ...joined,
  });
}

/** A post with long texts. */
export async function askForPost(): Promise<Asked> {
  const { body: site } = await gateway.get('/api/site-config?market=standard');
  const document = {
    title: 'Name ten birds in a photograph',
    description: `The photograph shows a pond. ${'It is early in the morning. '.repeat(20)}`,
    criteria: 'Ten names, left to right.\nLatin names count as well.',
    tags: ['birds'],
  };
  const task = {
    totalAmount: parseTok('1500'),
    deadline: BigInt(gateway.devnet.clock.now() + 5 * 86_400),
    reviewPeriod: 86_400,
    criteriaHash: hashCriteria(document.criteria),
    milestones: [],
    uri: buildTaskDocument(document).uri,
    fundNow: 0n,
  };
  const encoded = encodeCall(site.contracts as CallContracts, 'TaskRegistry', 'postTask', [task]);
  const [action, estimatedGasCostWei] = ['Approved by svc', '42000000000000'];
  return ask({ kind: 'calls', action, summary: 'A task', ...encoded, estimatedGasCostWei });
}

export function askForStranger(summary: string): Promise<Asked> {
  const calls = [
    { to: accountOf('drifter').address, value: '0xde0b6b3a7640000', data: '0x' },
    { to: gateway.devnet.deployment.markets.standard.taskRegistry, value: '0x0', data: '0xc0ffee00' },
  ];
  return ask({ kind: 'calls', action: 'top-up', summary, calls, steps: [] });
}

/** Acceptance of a task's terms; `registry` is this market's unless another is given. */
export function askForSignature(registry?: `0x${string}`): Promise<Asked> {
  const { chainId, markets } = gateway.devnet.deployment;
  const typedData = buildTermsTypedData(
    {
      poster: accountOf('visitor').address,
      worker: owner.address,
      totalAmount: parseTok('1500'),
      milestonesHash: hashMilestones([]),
      criteriaHash: hashCriteria('As agreed.'),
      deadline: 1_900_000_000n,
      reviewPeriod: 86_400,
      scope: 'private',
      salt: hashCriteria('salt'),
      acceptBy: 1_890_000_000n,
    },
    { chainId, registry: registry ?? markets.standard.taskRegistry },
  );
  const text = stringify(typedData);
  const summary = 'Accept the terms of the work on ten birds';
  return ask({
    kind: 'signature',
    action: 'build-task-terms',
    summary,
    typedData: JSON.parse(text),
  });
}

/** Typed data without a domain, with nested structs. */
export function askForStrangeSignature(text: string): Promise<Asked> {
  const typedData = {
    domain: null,
    primaryType: 'Letter',
    types: { Letter: [{ name: 'to', type: 'Receiver[]' }], Receiver: [{ name: 'words', type: 'string' }] },
    message: { to: [{ words: text }] },
  };
  return ask({ kind: 'signature', action: 'sign', summary: 'A letter', typedData });
}

export async function ask(request: object): Promise<Asked> {
  const { status, body } = await gateway.post('/v1/requests', {
    chainId: 8453,
    from: owner.address,
    ...request,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return { requestId: body.requestId, path: body.approvalUrl.slice(gateway.url().length) };
}
