// Proves `svc deploy` as a user runs it: what it writes, how it refuses, and what remains when it is killed halfway.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { getContractAddress, stringify } from 'viem';
import * as bytecodes from '#contracts/generated/bytecode.ts';
import {
  compilerVersion as compiler,
  contractSources,
  sourceTexts,
} from '#contracts/generated/verification.ts';
import { type Deployment, parseDeployment } from '#sdk/chain/deployment.ts';
import type { Address } from '#sdk/domain/address.ts';
import type { VerifiableContract } from '#service/deploy/explorerFiles.ts';
import { verifyWiring } from '#service/deploy/verify.ts';
import { startCuttingProxy } from './support/cuttingProxy.ts';
import {
  addresses,
  deployUsdc,
  type EmbeddedChain,
  keys,
  startEmbeddedChain,
} from './support/embeddedChain.ts';
import { findFreePort } from './support/freePort.ts';
import { createClone, readCommands, readGuide, runCommands } from './support/guide.ts';
import { serve } from './support/listen.ts';
import { createFolder, runSvc, type SvcRun, startSvc } from './support/svc.ts';

let chain: EmbeddedChain;
let usdc: Address;
const steps = 32;
/** What a finished deployment leaves in its folder. */
const complete = ['8453.json', '8453.verification'];
const poorKey = `0x${'7'.repeat(64)}`;

before(async () => {
  chain = await startEmbeddedChain();
  usdc = await deployUsdc(chain);
});
after(() => chain.close());

type Place = { readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly rpc?: string };

function describeDeploy(rpc: string, args: readonly string[]): string[] {
  const token = args.includes('--test-usdc') ? [] : ['--usdc', usdc];
  const common = ['--rpc', rpc, ...token, '--price', '0.005', '--activate-staking', '--unsafe-roles'];
  return ['deploy', ...common, ...args];
}

function deploy({ cwd, env = { PRIVATE_KEY: keys.deployer }, rpc = chain.url }: Place, ...args: string[]) {
  return runSvc(describeDeploy(rpc, args), { cwd, env });
}

function readDeployment(cwd: string): Deployment {
  return parseDeployment(readFileSync(join(cwd, 'deployments/8453.json'), 'utf8'));
}

/** Runs svc deploy and kills it at the request that `isCut` chooses, which does not reach the chain. */
async function killMidway(
  cwd: string,
  isCut: (method: string, calledBefore: number) => boolean,
  ...args: string[]
): Promise<SvcRun> {
  const proxy = await startCuttingProxy(chain.url, isCut, () => child.kill('SIGKILL'));
  const env = { PRIVATE_KEY: keys.deployer };
  const { child, ended } = startSvc(describeDeploy(proxy.url, args), { cwd, env });
  const run = await ended;
  proxy.close();
  assert.equal(run.signal, 'SIGKILL');
  return run;
}

function assertQuiet({ out, err }: SvcRun): void {
  assert.doesNotMatch(out + err, new RegExp(keys.deployer.slice(2), 'i'));
  assert.doesNotMatch(out + err, /^\s+at /m);
}

test('the guide brings a market to a private chain, and its input for explorers is that of the bytecode on the chain', async (context) => {
  const cwd = createClone(createFolder(context));
  const own = await startEmbeddedChain(1337);
  context.after(() => own.close());
  const port = await findFreePort();
  const servers = { siteUrl: '', gatewayUrl: `http://127.0.0.1:${port}`, rpcUrl: own.url };
  const blocks = readCommands(readGuide('docs/deploying.md'), 'A private chain');
  const out = await runCommands(
    context,
    [
      `unset SVC_SITE_URL; export SVC_GATEWAY_PORT=${port} SVC_BUILD_PAGES=off`,
      // The last command of the guide runs until it is stopped.
      `${blocks.join('\n').replace('<PRIVATE_KEY>', keys.deployer).trimEnd()} & trap 'kill $!' EXIT`,
      'until curl -sSf http://localhost:4020/api/site-config; do sleep 0.1; done',
    ],
    { cwd, servers },
  );
  assert.match(out, /^ok {4}contracts: /m);
  assert.match(out, /"chainId":1337,"chainName":"Our chain"/);
  const folder = join(cwd, 'deployments/1337.verification');
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const contracts: VerifiableContract[] = read('contracts.json');
  const created = await readCreations(own);
  assert.deepEqual(
    contracts.map(({ address }) => address.toLowerCase()),
    [...created.keys()],
  );
  const generated: Readonly<Record<string, string>> = bytecodes;
  for (const { address, contract, input, constructorArguments, compilerVersion } of contracts) {
    const name = contract.replace(/^.*:./, (start) => start.slice(-1).toLowerCase());
    const creation = created.get(address.toLowerCase());
    assert.equal(creation, `${generated[`${name}Bytecode`]}${constructorArguments}`, contract);
    assert.equal(compilerVersion, `v${compiler}`);
    const written = read(input);
    assert.equal(written.language, 'Solidity');
    const expected = contractSources[name];
    assert.deepEqual(Object.keys(written.sources), expected?.sources, contract);
    // What `npm run generate` has compiled to this bytecode.
    for (const [file, { content }] of Object.entries<{ content: string }>(written.sources))
      assert.equal(content, sourceTexts[file], file);
    assert.deepEqual(
      { ...written.settings, outputSelection: 0 },
      { ...expected?.settings, outputSelection: 0 },
    );
  }
  const files = new Set(contracts.map(({ input }) => input));
  assert.equal(files.size, 13);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name !== 'contracts.json'),
    [...files].sort(),
  );

  const sent: unknown[] = [];
  const verifier = await serve(async (request, response) => {
    const { stdJsonInput, ...fields } = (await json(request)) as Record<string, { readonly sources: object }>;
    const address = request.url?.replace('/v2/verify/1337/', '');
    sent.push({ ...fields, address, sources: Object.keys(stdJsonInput?.sources ?? {}) });
    response.end('{}');
  });
  context.after(verifier.close);
  const verify = readCommands(readGuide('docs/deploying.md'), 'Verifying the sources').map((block) =>
    block.replaceAll('8453', '1337').replace('https://sourcify.dev/server', verifier.url),
  );
  await runCommands(context, verify, { cwd, servers });
  assert.deepEqual(
    sent,
    contracts.map(({ address, contract, input, compilerVersion }) => ({
      address,
      contractIdentifier: contract,
      compilerVersion: compilerVersion.slice(1),
      sources: Object.keys(read(input).sources),
    })),
  );
});

/** Address -> data of the transaction that created the contract, in the order of the chain. */
async function readCreations({ publicClient }: EmbeddedChain): Promise<Map<string, string>> {
  const created = new Map<string, string>();
  const head = await publicClient.getBlockNumber({ cacheTime: 0 });
  for (let blockNumber = 1n; blockNumber <= head; blockNumber++) {
    const { transactions } = await publicClient.getBlock({ blockNumber, includeTransactions: true });
    for (const { from, nonce, to, input } of transactions)
      if (to === null) created.set(getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase(), input);
  }
  return created;
}

test('a finished deployment is refused, --again replaces it, and an unfinished one in its place is bypassed by nothing but --abandon', async (context) => {
  const cwd = createFolder(context);
  const run = await deploy({ cwd }, '--json');
  assert.equal(run.exitCode, 0, run.err);
  assertQuiet(run);
  assert.deepEqual(readdirSync(join(cwd, 'deployments')), complete);
  const first = readDeployment(cwd);
  assert.deepEqual(await verifyWiring(chain.publicClient, first), []);
  assert.equal(first.roles.owner, addresses.deployer);

  const refused = await deploy({ cwd });
  assert.equal(refused.exitCode, 1);
  assert.match(
    refused.err,
    /^deployments\/8453\.json already holds a deployment, and its contracts match it\./,
  );

  const { micro, standard } = first.markets;
  const swapped = stringify(first).replaceAll(standard.disputeCourt, micro.disputeCourt);
  writeFileSync(join(cwd, 'deployments/8453.json'), swapped);
  const tampered = await deploy({ cwd });
  assert.equal(tampered.exitCode, 1);
  assert.match(
    tampered.err,
    /^ {2}standard\.taskRegistry\.court: expected 0x[0-9a-f]{40}, found 0x[0-9a-f]{40}$/m,
  );

  const again = await deploy({ cwd }, '--again', '--json');
  assert.equal(again.exitCode, 0, again.err);
  const second = readDeployment(cwd);
  assert.deepEqual(parseDeployment(again.out), second);
  assert.notEqual(second.tokToken, first.tokToken);

  const isFourth = (method: string, before: number) => method === 'eth_sendRawTransaction' && before === 3;
  await killMidway(cwd, isFourth, '--again');
  for (const option of ['--again', '--finish']) {
    const unfinished = await deploy({ cwd }, option);
    assert.equal(unfinished.exitCode, 1);
    assert.match(unfinished.err, /not finished: 3 of 32 steps are/);
  }
  const poor = await deploy({ cwd, env: { PRIVATE_KEY: poorKey } }, '--abandon', '--again');
  assert.match(poor.err, /ETH are needed\.$/m);
  assert.deepEqual(readdirSync(join(cwd, 'deployments')), ['8453.journal.json', ...complete]);
  const back = await deploy({ cwd }, '--abandon');
  assert.equal(back.exitCode, 1);
  assert.match(back.err, /^deployments\/8453\.json already holds a deployment/);
  assert.deepEqual(readdirSync(join(cwd, 'deployments')), complete);
  assert.deepEqual(readDeployment(cwd), second);
});

test('killed after 11 of 32 transactions, a second run refuses and reports, and --abandon starts again; killed before the file, --finish writes it', async (context) => {
  const count = 11;
  const cwd = createFolder(context);
  await killMidway(cwd, (method, before) => method === 'eth_sendRawTransaction' && before === count);
  const left = readdirSync(join(cwd, 'deployments'));
  assert.deepEqual(left, ['8453.journal.json']);

  const refused = await deploy({ cwd });
  assert.equal(refused.exitCode, 1);
  assert.match(refused.err, new RegExp(`not finished: ${count} of ${steps} steps are on chain 8453\\.`));
  assert.equal(refused.err.match(/^ {2}done /gm)?.length ?? 0, count);
  assert.equal(refused.err.match(/^ {2}missing /gm)?.length, steps - count);
  assert.match(refused.err, /start again with new addresses: --abandon\.$/m);
  assert.deepEqual(readdirSync(join(cwd, 'deployments')), left);

  // Two contract calls come before the first transaction; the next one is the verification.
  let sent = 0;
  const isDone = (method: string) => {
    if (method === 'eth_sendRawTransaction') sent += 1;
    return sent === steps && method === 'eth_call';
  };
  await killMidway(cwd, isDone, '--abandon');
  const again = await deploy({ cwd });
  assert.equal(again.exitCode, 1);
  assert.match(again.err, /Only the file is missing\. To verify the contracts and write it: --finish\.$/m);

  const finished = await deploy({ cwd }, '--finish');
  assert.equal(finished.exitCode, 0, finished.err);
  assert.deepEqual(readdirSync(join(cwd, 'deployments')), complete);
  assert.deepEqual(await verifyWiring(chain.publicClient, readDeployment(cwd)), []);
});

test('each mistake before the start is one sentence, and nothing is written', async (context) => {
  const cwd = createFolder(context);
  const cases: readonly [string, SvcRunArguments, RegExp][] = [
    ['wrong chain', { args: ['--chain', '1'] }, /^The RPC serves chain 8453, not chain 1\.$/],
    [
      'no balance',
      { env: { PRIVATE_KEY: poorKey } },
      /^0x[0-9a-fA-F]{40} has 0 ETH, but up to [0-9.]+ ETH are needed\.$/,
    ],
    [
      'no USDC',
      { args: ['--usdc', addresses.owner] },
      /^There is no USDC at 0x7099.*decimals gave no answer\.$/,
    ],
    [
      'test money on Base',
      { args: ['--test-usdc'] },
      /^Chain 8453 is a public chain with real money\. Anyone can mint test USDC, so it is not deployed there/,
    ],
    [
      'nobody there',
      { rpc: 'http://127.0.0.1:1/v2/apikey' },
      /^The chain cannot be reached: no connection to 127\.0\.0\.1:1\.$/,
    ],
  ];
  const check = async ([name, { args = [], env, rpc }, expected]: (typeof cases)[number]) => {
    const run = await deploy({ cwd, ...(env && { env }), ...(rpc && { rpc }) }, ...args);
    assert.equal(run.exitCode, 1, name);
    assert.match(run.err.trim(), expected, name);
    assert.equal(run.out, '', name);
    assert.doesNotMatch(run.err, /apikey/, name);
    assertQuiet(run);
  };
  await Promise.all(cases.map(check));
  assert.equal(existsSync(join(cwd, 'deployments')), false);
});

test('on a public chain, single keys, one wallet in both roles and a missing feed are refused', async (context) => {
  const cwd = createFolder(context);
  const other = await deployUsdc(chain);
  const feed = ['--sequencer-feed', other];
  const attempt = async (args: readonly string[], key: string = keys.deployer) => {
    const common = ['deploy', '--rpc', chain.url, '--usdc', usdc, ...args];
    const { err, exitCode } = await runSvc(common, { cwd, env: { PRIVATE_KEY: key } });
    assert.equal(exitCode, 1);
    return err.trim();
  };
  const unsafe = 'On a public chain this deployment would be unsafe:';
  const single = 'the owner is a single key, the fallback arbitrator is a single key';
  const [all, keysOnly, oneContract, safe] = await Promise.all([
    attempt([]),
    attempt(['--owner', addresses.owner, ...feed]),
    attempt(['--owner', usdc, ...feed]),
    // The roles are in order; the deployer has no Ether.
    attempt(['--owner', usdc, '--fallback-arbitrator', other, ...feed], poorKey),
  ]);
  const one = 'owner and fallback arbitrator are one wallet';
  assert.ok(all.startsWith(`${unsafe} ${one}, ${single}, --sequencer-feed is missing.`), all);
  assert.ok(keysOnly.startsWith(`${unsafe} ${one}, ${single}.`), keysOnly);
  assert.ok(oneContract.startsWith(`${unsafe} ${one}.`), oneContract);
  assert.doesNotMatch(safe, /unsafe/);
  assert.equal(existsSync(join(cwd, 'deployments')), false);
});

type SvcRunArguments = {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly rpc?: string;
};
