// How a command finds chain and contracts: by a deployment file, or by the site, and what it says when it cannot.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { connect } from '#service/app/connect.ts';
import { readMarketOptions } from '#service/app/openMarket.ts';
import { type Environment, readConfig } from '#service/config.ts';
import { startRpcStub } from '../support/rpcStub.ts';
import { createFolder } from '../support/svc.ts';
import type { WalletMarket } from '../support/walletMarket.ts';

const find = (environment: Environment) => connect(readConfig(environment));

export function testConnecting(get: () => WalletMarket): void {
  test('a deployment file and an RPC are enough, and lead to the same contracts as the site', async (context) => {
    const { deployment, rpcUrl, siteUrl, contracts } = get();
    const file = join(createFolder(context), 'market.json');
    writeFileSync(file, formatDeployment(deployment));
    const byFile = await find({
      SVC_DEPLOYMENT: file,
      SVC_RPC_URL: rpcUrl,
      SVC_SITE_URL: 'http://127.0.0.1:1',
    });
    const bySite = await find({ SVC_SITE_URL: siteUrl });
    for (const found of [byFile, bySite]) {
      assert.equal(found.contracts.micro.disputeCourt, contracts.micro.disputeCourt);
      assert.equal(found.contracts.standard.usdc, contracts.standard.usdc);
      assert.equal(await found.isEmbedded(), true);
      found.close();
    }
  });

  test('a market on another chain than the wanted one is refused before anything is prepared for it', async (context) => {
    const { siteUrl, deployment } = get();
    const file = join(createFolder(context), 'market.json');
    writeFileSync(file, formatDeployment(deployment));
    const wrong = {
      code: 'MARKET_CHAIN_WRONG',
      message: /on chain 8453, not on chain 84532.*SVC_CHAIN_ID=8453/,
    };
    const wanted = { SVC_CHAIN_ID: '84532' };
    await assert.rejects(find({ ...wanted, SVC_SITE_URL: siteUrl }), wrong);
    await assert.rejects(find({ ...wanted, SVC_DEPLOYMENT: file }), wrong);
    assert.throws(() => readMarketOptions(readConfig({ ...wanted, SVC_DEPLOYMENT: file })), wrong);
  });

  test('a node on this machine that is not the embedded chain is not taken for it', async (context) => {
    const { deployment } = get();
    const file = join(createFolder(context), 'market.json');
    writeFileSync(file, formatDeployment(deployment));
    const stub = await startRpcStub();
    context.after(() => stub.close());
    const found = await find({ SVC_DEPLOYMENT: file, SVC_RPC_URL: stub.url });
    assert.equal(await found.isEmbedded(), false);
    found.close();
  });
}
