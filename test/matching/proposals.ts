// Proposals of the matching board: how many a wallet may sign and write, and what ends one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPublicClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { contractsOf } from '#sdk/chain/contracts.ts';
import type { WalletState } from '#sdk/chain/readAgents.ts';
import { type MarketFigures, readTermsEnd } from '#sdk/chain/readMarket.ts';
import { createRpc } from '#sdk/chain/rpc.ts';
import type { Participant } from '#sdk/client/joinMarket.ts';
import { signListing } from '#sdk/client/listingClient.ts';
import { formatUsdc } from '#sdk/domain/amount.ts';
import type { SvcError } from '#sdk/domain/errors.ts';
import { countFreeBonds, type Proposal } from '#sdk/negotiation/proposals.ts';
import { toContractTerms } from '#sdk/rules/terms.ts';
import type { Listing, ListingDocument } from '#sdk/schemas/listings.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import type { TestGateway } from '../support/gateway.ts';
import { joinAs, writeListing } from '../support/listings.ts';
import { until } from '../support/until.ts';

const walletOf = (name: AccountName) => privateKeyToAccount(accountOf(name).privateKey);

/** What the chain says of the terms of a signed proposal. */
function readEnd({ devnet }: TestGateway, { offer: { terms, settlementDigest } }: Proposal) {
  const { deployment, rpcUrl } = devnet;
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({ urls: [rpcUrl], chainId, genesisHash });
  const { poster, worker, salt } = toContractTerms(terms).terms;
  const signed = { poster, worker, salt, digest: settlementDigest, acceptBy: terms.acceptBy };
  return readTermsEnd(rpc, contractsOf(deployment, terms.market), signed);
}

/** The oracle of the market answers that the sequencer is down, or was within the last hour. */
async function whileOutage({ devnet }: TestGateway, run: () => Promise<void>): Promise<void> {
  const { rpcUrl, deployment } = devnet;
  const client = createPublicClient({ transport: http(rpcUrl) });
  const oracle = deployment.usdOracle;
  const code = await client.getCode({ address: oracle });
  const set = async (now: Hex) => {
    await client.request({ method: 'hardhat_setCode', params: [oracle, now] } as never);
    await client.request({ method: 'evm_mine', params: [] } as never);
  };
  // Answers every call with 1.
  await set('0x600160005260206000f3');
  try {
    await run();
  } finally {
    await set(code ?? '0x');
  }
}

async function readState({ actions, address }: Participant) {
  const read = await actions.read({ address, market: 'standard' }).prepare();
  return read as unknown as { wallet: WalletState; figures: MarketFigures };
}

export function testProposals(gateway: () => TestGateway): void {
  const write = (words?: Partial<ListingDocument['task']>) => writeListing(gateway(), {}, words);

  test('a wallet that proposed writes six messages until it is answered, others three; a task closes the listing', async () => {
    const [poster, worker] = await Promise.all([joinAs(gateway(), 'painter'), joinAs(gateway(), 'analyst')]);
    const listing = await poster.matching.list(write({ title: 'Bind a book' }));
    await worker.do.approveTokRouter({ market: 'standard', amountTok: '0' });
    const proposal = await worker.matching.propose(listing, {
      totalAmountTok: '600',
      days: 2,
      isBinding: true,
    });
    assert.equal((await worker.matching.get(listing.id)).proposals, 'few');
    for (const text of ['three', 'four', 'five', 'six']) await worker.matching.say(proposal, text);
    await assert.rejects(worker.matching.say(proposal, 'seven'), /6 messages until/);
    const [found = assert.fail()] = await poster.matching.proposals(listing);
    assert.deepEqual(
      [found.state, found.comparison.isPlain, found.worker],
      ['binding', true, worker.address],
    );
    await assert.rejects(
      poster.do.createTask({ ...poster.matching.toTask(found), workerSignature: `0x${'11'.repeat(65)}` }),
    );
    assert.equal(await readEnd(gateway(), found), null);
    await poster.do.createTask(poster.matching.toTask(found));
    assert.equal(await readEnd(gateway(), found), 'used');
    await assert.rejects(poster.do.createTask(poster.matching.toTask(found)), 'a signature works once');
    await until(async () => (await worker.matching.get(listing.id)).state === 'taken');
    const taken = await worker.matching.get(listing.id);
    assert.match(taken.taskId ?? '', /^v2:standard:/);
    assert.equal((await worker.matching.find({ q: 'bind book' })).count, 0);
    const { taskRegistry: registry } = gateway().devnet.deployment.markets.standard;
    const version = Math.floor(Date.now() / 1_000) + 30;
    const parts = { place: { chainId: 8453, registry }, id: listing.id as Hex, version };
    const again = await signListing(walletOf('painter'), write(), parts);
    const { status, body } = await gateway().send('PUT', `/v1/listings/${listing.id}`, again);
    assert.deepEqual([status, body.code], [409, 'VERSION_OLD']);
    await Promise.all([poster.close(), worker.close()]);
  });

  test('a listing whose task a fork takes away is open again, and is taken by the task that comes instead', async () => {
    const [poster, worker] = await Promise.all([joinAs(gateway(), 'painter'), joinAs(gateway(), 'analyst')]);
    const listing = await poster.matching.list(write({ title: 'Mend a net' }));
    const signed = await worker.matching.propose(listing, {
      totalAmountTok: '600',
      days: 2,
      isBinding: true,
    });
    const client = createPublicClient({ transport: http(gateway().devnet.rpcUrl) });
    const evm = (method: string, ...params: unknown[]) => client.request({ method, params } as never);
    const shown = () => poster.matching.get(listing.id);
    const snapshot = await evm('evm_snapshot');
    await poster.do.createTask(poster.matching.toTask(signed));
    await until(async () => (await shown()).state === 'taken');
    await evm('evm_revert', snapshot);
    for (let block = 0; block < 3; block++) await evm('evm_mine');
    await until(async () => (await shown()).state === 'live');
    assert.equal((await shown()).taskId, null);
    assert.equal((await worker.matching.find({ q: 'mend net' })).count, 1, 'and it is found again');
    const { taskId } = await poster.do.createTask(poster.matching.toTask(signed));
    await until(async () => (await shown()).state === 'taken');
    assert.equal((await shown()).taskId, taskId);
    await Promise.all([poster.close(), worker.close()]);
  });

  test('bots that write at the same moment all get a place, and sign the offer that they have read alone', async () => {
    const [poster, worker] = await Promise.all([joinAs(gateway(), 'painter'), joinAs(gateway(), 'analyst')]);
    await worker.do.approveTokRouter({ market: 'standard', amountTok: '0' });
    const listing = await poster.matching.list(write({ title: 'Sort a shelf' }));
    const price = { totalAmountTok: '600', days: 2 };
    const proposal = await worker.matching.propose(listing, price);
    await poster.matching.say(proposal, 'hello');
    const words = Array.from({ length: 4 }, (_, at) => `word ${at}`);
    await Promise.all(words.map((word, at) => (at % 2 === 0 ? poster : worker).matching.say(proposal, word)));
    const { messages } = await poster.mailbox.conversation(proposal.root);
    for (const word of words)
      assert.ok(
        messages.some(({ wire }) => wire?.includes(`"${word}"`)),
        word,
      );

    const foreign = {
      ...proposal,
      offer: { ...proposal.offer, terms: { ...proposal.offer.terms, market: 'micro' as const } },
    };
    await assert.rejects(worker.matching.sign(foreign), /their registry is that of another market: standard/);
    const replaced = { ...proposal, offer: { ...proposal.offer, hash: `0x${'12'.repeat(32)}` as const } };
    await assert.rejects(worker.matching.sign(replaced), /Another offer is open now/);
    await poster.matching.choose(proposal);
    await worker.matching.sign(proposal);
    const [signed = assert.fail()] = await poster.matching.proposals(listing);
    await poster.do.createTask(poster.matching.toTask(signed));
    await Promise.all([poster.close(), worker.close()]);
  });

  test('a worker signs no more proposals than it has bonds; a withdrawal takes the signature back on chain', async () => {
    const [poster, other, worker] = await Promise.all([
      joinAs(gateway(), 'archive'),
      joinAs(gateway(), 'scribe'),
      joinAs(gateway(), 'newcomer'),
    ]);
    await worker.do.topUp({ market: 'standard', amountUsdc: '25' });
    const { wallet, figures } = await readState(worker);
    const free = countFreeBonds(wallet.deposit, figures);
    assert.ok(free > 0 && free < 7, `${free} bonds`);
    const wanted: Listing[] = [];
    for (let at = 0; at <= free; at++)
      wanted.push(await (at % 2 === 0 ? poster : other).matching.list(write({ title: `Bind book ${at}` })));
    const price = { totalAmountTok: '600', days: 2, isBinding: true };
    const signed: Proposal[] = [];
    // The gateway may not know of the collateral yet.
    await until(async () => {
      const sent = await worker.matching.propose(wanted[0] ?? assert.fail(), price).catch(() => undefined);
      return sent !== undefined && signed.push(sent) > 0;
    });
    for (const listing of wanted.slice(1, free)) signed.push(await worker.matching.propose(listing, price));
    const last = wanted.at(-1) ?? assert.fail();
    await assert.rejects(worker.matching.propose(last, { ...price, validHours: 15 * 24 }), /within 14 days/);
    await assert.rejects(worker.matching.propose(last, price), /signed proposals? (is|are) live.*free bond/);
    const [open] = await worker.matching.proposals(last);
    assert.equal(open?.state, 'open', 'proposed, not signed');

    const [first = assert.fail()] = signed;
    assert.equal(await readEnd(gateway(), first), null);
    const { terms } = first.offer;
    const late = { ...first, offer: { ...first.offer, terms: { ...terms, acceptBy: 1 } } };
    assert.equal(await readEnd(gateway(), late), 'void');
    await whileOutage(gateway(), async () => {
      assert.equal(
        await readEnd(gateway(), late),
        null,
        'the registry takes it again, so a policy goes on counting it',
      );
    });
    await worker.matching.withdraw(first);
    assert.equal(await readEnd(gateway(), first), 'void', 'a policy counts it no longer');
    const [seen = assert.fail()] = await poster.matching.proposals(wanted[0] ?? assert.fail());
    assert.equal(seen.state, 'withdrawn');
    // Also a poster whose program ignores the message cannot use the signature.
    await assert.rejects(
      poster.do.createTask(poster.matching.toTask(seen)),
      /revoked|taken back|TermsAreRevoked/i,
    );
    await worker.matching.sign(open ?? assert.fail());

    // The worker's collateral is gone when the poster accepts: nothing is created, and no money moves.
    const chooser = free % 2 === 0 ? poster : other;
    const [bound = assert.fail()] = await chooser.matching.proposals(last);
    assert.equal(bound.state, 'binding');
    const tokOf = async () => (await readState(chooser)).wallet.tokWei;
    const before = await tokOf();
    await chooser.matching.choose(bound);
    await worker.do.approveTokRouter({ market: 'standard', amountTok: '0' });
    await assert.rejects(chooser.matching.choose(bound), /worker 0x\w+ has not approved its access fee/);
    await worker.do.withdrawDeposit({
      market: 'standard',
      amountUsdc: formatUsdc((await readState(worker)).wallet.deposit.balance),
    });
    await assert.rejects(chooser.matching.choose(bound), /worker 0x\w+ has too little free collateral/);
    await assert.rejects(chooser.do.createTask(chooser.matching.toTask(bound)), (error: SvcError) =>
      JSON.stringify(error.details).includes(`${worker.address} has to add what is missing`),
    );
    assert.equal(await tokOf(), before);

    await poster.matching.invite(wanted[0] ?? assert.fail(), walletOf('coder').address);
    const invited = await joinAs(gateway(), 'coder');
    const { messages } = await invited.mailbox.read({ after: 0 });
    assert.ok(messages.some(({ wire }) => wire?.includes(wanted[0]?.id ?? '-') && wire.includes('invite')));
    await Promise.all([poster.close(), other.close(), worker.close(), invited.close()]);
  });
}
