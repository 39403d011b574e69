// Proves on the embedded chain that a signature is judged here exactly as the contracts judge it, for every kind of wallet.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { encodeFunctionData, type Hex, numberToHex, size, toFunctionSelector } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createRpc } from '#sdk/chain/rpc.ts';
import { createDigestReader, readAcceptedSignature } from '#sdk/chain/signatures.ts';
import type { Address } from '#sdk/domain/address.ts';
import { indexOf, scopes } from '#sdk/domain/state.ts';
import { buildTermsTypedData } from '#sdk/domain/terms.ts';
import { normaliseSignature, verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { readNegotiation } from '#sdk/negotiation/negotiation.ts';
import { statusOf } from '#sdk/negotiation/nextMessages.ts';
import { hashTermsDocument, toContractTerms, withDigest } from '#sdk/rules/terms.ts';
import type { TermsDocument } from '#sdk/schemas/terms.ts';
import { createChainViewer } from '#service/cli/chainFacts.ts';
import { acceptOffer } from '#service/cli/negotiation.ts';
import { readConfig } from '#service/config.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { type Cast, createCast } from '../support/cast.ts';
import {
  connectOperator,
  deploy,
  deployContractWallet,
  describeUndeployedWallet,
} from '../support/contractWallet.ts';
import {
  buildAcceptance,
  buildOffer,
  buildTerms,
  goodSpellings,
  poster,
  spell,
  transcriptOf,
  worker,
  writeAll,
} from '../support/negotiating.ts';
import { createFolder } from '../support/svc.ts';

const owner = privateKeyToAccount(`0x${'0d'.repeat(32)}`);
const badSignature = toFunctionSelector('BadSignature(address)');

let devnet: Devnet;
let cast: Cast;
let rpc: ReturnType<typeof createRpc>;
before(async () => {
  devnet = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0, isPriceKept: false });
  cast = await createCast(devnet.rpcUrl, 'standard');
  rpc = createRpc({ urls: [devnet.rpcUrl] });
});
after(() => {
  rpc.close();
  return devnet.close();
});

const read = (wallet: Address, digest: Hex, signature: Hex) =>
  readAcceptedSignature(rpc, wallet, digest, signature);

/** The same terms all the time, so that a signature fits. */
const now = Math.floor(Date.now() / 1_000);

function termsOf(worker: Address): TermsDocument {
  const registry = devnet.deployment.markets.standard.taskRegistry;
  return buildTerms({
    place: { chainId: 8453, registry },
    poster: cast.poster.address,
    worker,
    deadline: now + 5 * 86_400,
    acceptBy: now + 3_600,
  });
}

async function sign(by: PrivateKeyAccount, document: TermsDocument): Promise<Hex> {
  const { terms, place } = toContractTerms(document);
  return by.signTypedData(buildTermsTypedData(terms, place));
}

/** Whether createTask gets past the worker's signature; what it says after that does not matter here. */
async function contractAccepts(document: TermsDocument, signature: Hex): Promise<boolean> {
  const { terms, place } = toContractTerms(document);
  const struct = { ...terms, scope: indexOf(scopes, terms.scope) };
  const args = [struct, [], '0x', signature, '', 0n] as const;
  const data = encodeFunctionData({ abi: taskRegistryAbi, functionName: 'createTask', args });
  const call = { from: cast.poster.address, to: place.registry, data };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] });
  const failure = await fetch(devnet.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return !(await failure.text()).includes(badSignature.slice(2));
}

/** Compares both judges for a wallet; returns what they agree on, by the name of the signature. */
async function compare(worker: Address, spelled: Readonly<Record<string, Hex>>) {
  const document = termsOf(worker);
  const digest = hashTermsDocument(document);
  const hasCode = ((await cast.client.getCode({ address: worker })) ?? '0x') !== '0x';
  const verdicts: Record<string, boolean> = {};
  for (const [name, signature] of Object.entries(spelled)) {
    const accepted = await read(worker, digest, signature);
    const sent = normaliseSignature(worker, signature, hasCode);
    assert.equal(accepted, (await contractAccepts(document, sent)) ? sent : null, name);
    verdicts[name] = accepted !== null;
  }
  return verdicts;
}

function deployRuntime(runtime: Hex): Promise<Address> {
  const length = numberToHex(size(runtime), { size: 1 }).slice(2);
  return deploy(cast.client, devnet.rpcUrl, `0x60${length}80600a5f395ff300${runtime.slice(2)}`);
}

/** EIP-7702: the account's address gets the code of another contract. */
async function delegate(account: PrivateKeyAccount, contractAddress: Address): Promise<void> {
  const client = connectOperator(devnet.rpcUrl);
  const authorization = await client.signAuthorization({ account, contractAddress });
  const hash = await client.sendTransaction({
    authorizationList: [authorization],
    to: client.account.address,
    gas: 200_000n,
  });
  await cast.client.waitForTransactionReceipt({ hash });
}

const yes = '631626ba7e60e01b5f52';

test('a plain account: every spelling that a wallet returns becomes the one that the contract takes', async () => {
  const document = termsOf(owner.address);
  const signature = await sign(owner, document);
  const spelled = spell(signature);
  const verdicts = await compare(owner.address, spelled);
  assert.deepEqual(
    Object.keys(verdicts).filter((name) => verdicts[name]),
    goodSpellings,
  );
  const digest = hashTermsDocument(document);
  for (const name of goodSpellings)
    assert.equal(await read(owner.address, digest, spelled[name] as Hex), signature);
  // Without that step the contract refuses all but the first, and an envelope has one spelling only.
  for (const [name, text] of Object.entries(spelled)) {
    assert.equal(await contractAccepts(document, text), name === 'plain', name);
    assert.equal(await verifyPlainAccount(owner.address, digest, text), name === 'plain', name);
    assert.equal(await createDigestReader(rpc)(owner.address, digest, text), name === 'plain');
  }
});

test('a smart wallet decides itself, whatever form its signature has', async () => {
  const { address } = await deployContractWallet(cast, devnet.rpcUrl, owner);
  const verdicts = await compare(address, spell(await sign(owner, termsOf(address))));
  // Its code asks ecrecover alone, which takes a high s as well.
  assert.deepEqual([verdicts.plain, verdicts['high s'], verdicts['v of 0 or 1']], [true, true, false]);
});

test('a wallet that writes, reverts, burns gas or answers too briefly when asked is refused here as on chain', async () => {
  const hostile = {
    'says yes': `0x${yes}60205ff3`,
    'writes first': `0x60015f55${yes}60205ff3`,
    'answers 4 bytes': `0x${yes}60045ff3`,
    'answers more': `0x${yes}60405ff3`,
    'reverts with yes': `0x${yes}60205ffd`,
    'burns all gas': '0xfe',
    'answers one': '0x60015f5260205ff3',
  } as const;
  const found: Record<string, boolean | undefined> = {};
  for (const [name, runtime] of Object.entries(hostile))
    found[name] = (await compare(await deployRuntime(runtime), { any: '0x1234' })).any;
  const accepted = Object.entries(found).flatMap(([name, isAccepted]) => (isAccepted ? name : []));
  assert.deepEqual(accepted, ['says yes', 'answers more']);
});

test('an account with delegated code (EIP-7702) is judged by that code alone, and by its key once it is removed', async () => {
  const account = privateKeyToAccount(`0x${'77'.repeat(32)}`);
  const signed = spell(await sign(account, termsOf(account.address)));
  const { address: ofOwner } = await deployContractWallet(cast, devnet.rpcUrl, owner);
  const byOwner = await sign(owner, termsOf(account.address));
  assert.equal((await compare(account.address, signed)).plain, true);
  await delegate(account, ofOwner);
  assert.match((await cast.client.getCode({ address: account.address })) ?? '', /^0xef0100/);
  const delegated = await compare(account.address, { ...signed, owner: byOwner });
  assert.deepEqual([delegated.plain, delegated.owner], [false, true], 'the key no longer counts');
  await delegate(account, devnet.deployment.tokToken);
  assert.deepEqual(Object.values(await compare(account.address, signed)).includes(true), false);
  await delegate(account, '0x0000000000000000000000000000000000000000');
  assert.equal((await compare(account.address, signed)).plain, true);
});

test('a wallet that is not deployed (ERC-6492) speaks, but its acceptance is refused by name until it is', async () => {
  const wallet = await describeUndeployedWallet(cast, devnet.rpcUrl, owner);
  const document = termsOf(wallet.address as Address);
  const { terms, place } = toContractTerms(document);
  const wrapped = await wallet.signTypedData(buildTermsTypedData(terms, place));
  const digest = hashTermsDocument(document);
  await assert.rejects(read(terms.worker, digest, wrapped), { code: 'WALLET_NOT_DEPLOYED' });
  assert.equal(await contractAccepts(document, wrapped), false);
  assert.equal(await createDigestReader(rpc)(terms.worker, digest, wrapped), true);
  // Deployed, the inner signature is what the contract takes.
  const deployed = await deployContractWallet(cast, devnet.rpcUrl, owner);
  const later = termsOf(deployed.address as Address);
  const contractTerms = toContractTerms(later);
  const again = await wallet.signTypedData(buildTermsTypedData(contractTerms.terms, contractTerms.place));
  const inner = await read(contractTerms.terms.worker, hashTermsDocument(later), again);
  assert.equal(inner, await sign(owner, later));
  assert.equal(await contractAccepts(later, inner as Hex), true);
});

function writeMarket(context: TestContext): string {
  const file = join(createFolder(context), 'deployment.json');
  writeFileSync(file, formatDeployment(devnet.deployment));
  return file;
}

test('terms for another chain, another registry, or the registry of the other market are not signed', async () => {
  const { chainId, markets } = devnet.deployment;
  const { standard, micro } = markets;
  const at = (registry: Address, chain = 8453) => ({ place: { chainId: chain, registry } });
  const acceptBy = Math.floor(Date.now() / 1_000) + 3_600;
  const sign = async (changes: Partial<Parameters<typeof buildTerms>[0]>) => {
    const terms = buildTerms({ acceptBy, ...changes });
    const transcript = transcriptOf(await writeAll([[poster, 'TaskProposal', buildOffer(terms)]]));
    const digest = hashTermsDocument(terms);
    const market = { registries: { chainId, contracts: markets }, time: Date.now() / 1_000 };
    return acceptOffer(worker, transcript, digest, market);
  };
  assert.match((await sign(at(standard.taskRegistry))).signature, /^0x/);
  assert.match((await sign({ market: 'micro', ...at(micro.taskRegistry) })).signature, /^0x/);
  const code = 'TERMS_INVALID';
  const lie = /say standard, but their registry is that of another market: micro/;
  await assert.rejects(sign(at(micro.taskRegistry)), { code, message: lie });
  for (const wrong of [at(standard.escrowVault), at(standard.taskRegistry, 1)])
    await assert.rejects(sign(wrong), { code, message: /are for another market/ });
});

test('svc inbox says agreed while the contracts accept both signatures, and no longer', async (context) => {
  const file = writeMarket(context);
  const document = withDigest({ ...termsOf(worker.address), poster: poster.address });
  const entries = await writeAll([
    [poster, 'TaskProposal', buildOffer(document)],
    [poster, 'TaskAcceptance', await buildAcceptance(poster, document), { taskId: 'v2:standard:1' }],
    [worker, 'TaskAcceptance', await buildAcceptance(worker, document), { taskId: 'v2:standard:999' }],
  ]);
  const transcript = transcriptOf(entries);
  const statusNow = async () => {
    const viewer = createChainViewer(readConfig({ SVC_DEPLOYMENT: file, SVC_RPC_URL: devnet.rpcUrl }));
    const { now: chainNow, factsOf } = await viewer.view([transcript]);
    viewer.close();
    const state = readNegotiation(transcript, factsOf(transcript));
    return [statusOf(state, chainNow), state.taskId, state.unusable.map(({ by }) => by)];
  };
  assert.deepEqual(await statusNow(), ['agreed', undefined, []]);
  await delegate(worker, devnet.deployment.tokToken);
  assert.deepEqual(await statusNow(), ['accepted-by-one', undefined, [worker.address]]);
  const away = createChainViewer(readConfig({ SVC_DEPLOYMENT: file, SVC_RPC_URL: 'http://127.0.0.1:9' }));
  const { factsOf } = await away.view([transcript]);
  assert.equal(statusOf(readNegotiation(transcript, factsOf(transcript)), new Date()), 'signed');
});
