// Proves that a deployment file is read back exactly, and that a damaged one is refused with the name of the field.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDeployment } from '@svc/sdk/chain';
import { chainIdentity, formatDeployment } from '@svc/sdk/internal/chain/deployment';
import fc from 'fast-check';
import { buildVerification } from './explorerFiles.ts';
import { buildJournal, formatJournal, parseJournal, planAgain } from './journal.ts';
import { type ChainPoint, type DeploymentOptions, planDeployment } from './plan.ts';

const person = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const options: DeploymentOptions = {
  usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  roles: { owner: person, treasury: person, fallbackArbitrator: person, publisher: person },
  tokHolder: person,
  tokSupply: 10n ** 27n,
  activateStaking: false,
};
const point: ChainPoint = {
  chainId: 8453,
  genesisHash: `0x${'ab'.repeat(32)}`,
  startBlock: 7,
  deployer: person,
  nonce: 5,
  usdcDomain: { name: 'USD Coin', version: '2' },
};
const { deployment } = planDeployment(options, point);
const file = formatDeployment(deployment);

/** Every path to a value in the file, such as ['markets', 'micro', 'taskRegistry']. */
function listPaths(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...listPaths(inner, [...path, name]),
  ]);
}

function replaceAt(path: readonly string[], replacement: unknown): string {
  const copy = JSON.parse(file);
  const [last, ...rest] = [...path].reverse() as [string, ...string[]];
  const holder = rest.reverse().reduce((at, name) => at[name], copy);
  if (replacement === undefined) delete holder[last];
  else holder[last] = replacement;
  return JSON.stringify(copy);
}

test('a field that is missing or of a wrong kind is named', () => {
  const paths = listPaths(JSON.parse(file)).filter(
    ([first]) => first !== 'usdcDomain' && first !== 'edition',
  );
  const wrong = [undefined, null, true, '', '0x12', -1, 1.5, [], '01', {}];
  for (const [number, path] of paths.entries()) {
    const reason = new RegExp(`^The deployment file cannot be used: ${path.join('\\.')}[a-zA-Z.]* is not `);
    // Each path with a third of them, so that neighbours, which are read alike, meet all.
    for (const replacement of wrong.filter((_, at) => at % 3 === number % 3))
      assert.throws(() => parseDeployment(replaceAt(path, replacement)), {
        code: 'DEPLOYMENT_MALFORMED',
        message: reason,
      });
  }
});

test('a file names its edition and the domain of USDC', () => {
  for (const wrong of [
    undefined,
    null,
    '3',
    { name: '3' },
    { name: '3', codes: { one: '0x12' }, version: 2 },
  ])
    for (const field of ['edition', 'usdcDomain'])
      assert.throws(() => parseDeployment(replaceAt([field], wrong)), { code: 'DEPLOYMENT_MALFORMED' });
});

test('a file gives back its deployment, and anything else fails with DEPLOYMENT_MALFORMED', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.throws(() => parseDeployment(text), { code: 'DEPLOYMENT_MALFORMED' });
    }),
  );
  for (const text of ['', '{', file.slice(0, -3)])
    assert.throws(() => parseDeployment(text), { code: 'DEPLOYMENT_MALFORMED' });
  assert.deepEqual(parseDeployment(file), deployment);
});

test('the identity distinguishes chains and deployments, whatever the case of an address', () => {
  const { standard, micro } = deployment.markets;
  const identity = chainIdentity(deployment);
  assert.notEqual(chainIdentity({ ...deployment, genesisHash: `0x${'cd'.repeat(32)}` }), identity);
  assert.notEqual(chainIdentity({ ...deployment, markets: { standard: micro, micro: standard } }), identity);
  const shouted = { ...standard, taskRegistry: `0x${standard.taskRegistry.slice(2).toUpperCase()}` as const };
  assert.equal(chainIdentity({ ...deployment, markets: { standard: shouted, micro } }), identity);
});

test('a journal gives back its plan, and with it the input for explorers', () => {
  for (const usdc of [options.usdc, 'test'] as const) {
    const plan = planDeployment({ ...options, usdc, priceE8: 500_000n, sequencerFeed: person }, point);
    const again = planAgain(parseJournal(formatJournal(buildJournal(plan))));
    assert.deepEqual(again.steps, plan.steps);
    assert.deepEqual(again.deployment, plan.deployment);
    const files = buildVerification(again.steps);
    const contracts = JSON.parse(files.get('contracts.json') ?? '');
    assert.equal(contracts.length, usdc === 'test' ? 21 : 20);
    assert.deepEqual(
      contracts.filter(({ input }: { input: string }) => !files.has(input)),
      [],
    );
  }
});
