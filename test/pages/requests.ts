// Wallet requests as tools hand them in: calls in plain order, a call to a stranger, terms to sign.
import assert from 'node:assert/strict';
import { encodeApproveUsdcVault } from '#chain/calls/approvals.ts';
import { encodeTopUp } from '#chain/calls/collateral.ts';
import { type CallContracts, joinCalls } from '#chain/calls/encode.ts';
import { accountOf } from '#devnet/accounts.ts';
import { parseTok, parseUsdc } from '#domain/amount.ts';
import { buildTermsTypedData, hashCriteria, hashMilestones } from '#domain/terms.ts';
import type { TestGateway } from '../support/gateway.ts';

export const owner = accountOf('newcomer');

export type Asked = { readonly requestId: string; readonly path: string };

export async function askForTopUp(gateway: TestGateway, usdc = '12.5'): Promise<Asked> {
  const { body: site } = await gateway.get('/api/site-config?market=standard');
  const contracts = site.contracts as CallContracts;
  const amount = parseUsdc(usdc);
  const joined = joinCalls(encodeApproveUsdcVault(contracts, amount), encodeTopUp(contracts, amount));
  return ask(gateway, { kind: 'calls', action: 'top-up', summary: 'Top up my collateral', ...joined });
}

export function askForStranger(gateway: TestGateway, summary: string): Promise<Asked> {
  const calls = [
    { to: accountOf('drifter').address, value: '0xde0b6b3a7640000', data: '0x' },
    { to: gateway.devnet.deployment.markets.standard.taskRegistry, value: '0x0', data: '0xc0ffee00' },
  ];
  return ask(gateway, { kind: 'calls', action: 'top-up', summary, calls, steps: [] });
}

/** Acceptance of a task's terms; `registry` is this market's unless another is given. */
export function askForSignature(gateway: TestGateway, registry?: `0x${string}`): Promise<Asked> {
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
  const text = JSON.stringify(typedData, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  const summary = 'Accept the terms of the work on ten birds';
  return ask(gateway, {
    kind: 'signature',
    action: 'build-task-terms',
    summary,
    typedData: JSON.parse(text),
  });
}

async function ask(gateway: TestGateway, request: object): Promise<Asked> {
  const { status, body } = await gateway.post('/v1/requests', {
    chainId: 8453,
    from: owner.address,
    ...request,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return { requestId: body.requestId, path: `/approve.html?request=${body.requestId}` };
}
