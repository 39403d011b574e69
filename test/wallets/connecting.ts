// How a command finds chain and contracts: by a deployment file, or by the site, and what it says when it cannot.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { connect } from '#service/app/connect.ts';
import { readMarketOptions } from '#service/app/openMarket.ts';
import { type Environment, readConfig } from '#service/config.ts';
import { startRpcStub } from '../support/rpcStub.ts';
import { createFolder } from '../support/svc.ts';
import { market } from './market.ts';

const find = (environment: Environment) => connect(readConfig(environment));

const writeMarket = (context: TestContext, deployment = market.deployment) => {
  const file = join(createFolder(context), 'market.json');
  writeFileSync(file, formatDeployment(deployment));
  return file;
};

test('a deployment file and an RPC lead to the same contracts as the site; another node is not taken for the embedded one', async (context) => {
  const { rpcUrl, siteUrl, contracts } = market;
  const SVC_DEPLOYMENT = writeMarket(context);
  const stub = await startRpcStub();
  context.after(() => stub.close());
  for (const [environment, isEmbedded, isCompared] of [
    [{ SVC_DEPLOYMENT, SVC_RPC_URL: rpcUrl, SVC_SITE_URL: 'http://127.0.0.1:1' }, true, true],
    [{ SVC_SITE_URL: siteUrl }, true, true],
    [{ SVC_DEPLOYMENT, SVC_RPC_URL: stub.url }, false, false],
  ] as const) {
    const found = await find(environment);
    assert.equal(found.contracts.micro.disputeCourt, contracts.micro.disputeCourt);
    assert.equal(found.contracts.standard.usdc, contracts.standard.usdc);
    assert.equal(await found.isEmbedded(), isEmbedded);
    assert.equal(found.isCompared, isCompared);
    found.close();
  }
});

test('contracts of another edition are refused before anything is prepared for them', async (context) => {
  const { rpcUrl, deployment } = market;
  const other = { ...deployment, marketLens: deployment.usdc };
  const SVC_DEPLOYMENT = writeMarket(context, other);
  await assert.rejects(find({ SVC_DEPLOYMENT, SVC_RPC_URL: rpcUrl }), { code: 'CONTRACTS_DIFFER' });
});

test('a market on another chain than the wanted one is refused before anything is prepared for it', async (context) => {
  const file = writeMarket(context);
  const wrong = {
    code: 'MARKET_CHAIN_WRONG',
    message: /on chain 8453, not on chain 84532.*SVC_CHAIN_ID=8453/,
  };
  const wanted = { SVC_CHAIN_ID: '84532' };
  await assert.rejects(find({ ...wanted, SVC_SITE_URL: market.siteUrl }), wrong);
  await assert.rejects(find({ ...wanted, SVC_DEPLOYMENT: file }), wrong);
  assert.throws(() => readMarketOptions(readConfig({ ...wanted, SVC_DEPLOYMENT: file })), wrong);
});
