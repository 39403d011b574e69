// A private dispute before the fallback judge, who gets every document and key from one party, over the tools, and opens
// every file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { createFileClient } from '#sdk/client/fileClient.ts';
import { sealFile } from '#sdk/client/sealFile.ts';
import { buildDocument } from '#sdk/documents/buildDocument.ts';
import { marketParameters } from '#sdk/domain/parameters.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import type { Cast } from '../support/cast.ts';
import { ask } from '../support/devnet.ts';
import type { TestGateway } from '../support/gateway.ts';
import { joinAs } from '../support/listings.ts';
import { buildAcceptance, buildOffer, buildTerms } from '../support/negotiating.ts';
import { openTools } from './tools.ts';

type Needs = { readonly gateway: () => TestGateway; readonly cast: () => Cast };

export function testEscalation({ gateway, cast }: Needs): void {
  test('the judge of a private dispute opens every file, although only one party helps', async () => {
    const join = async (name: AccountName) => {
      const account = privateKeyToAccount(accountOf(name).privateKey);
      return { ...(await joinAs(gateway(), name)), account, tools: openTools(gateway(), account) };
    };
    const [poster, worker, judge] = [await join('newcomer'), await join('visitor'), await join('fallback')];
    const { client, contracts } = cast();
    const now = Number((await client.getBlock()).timestamp);
    const terms = buildTerms({
      place: { chainId: 8453, registry: contracts.registry.address },
      ...{ poster: poster.address, worker: worker.address },
      ...{ acceptBy: now + 3_600, deadline: now + 7 * 86_400 },
    });
    const offer = buildOffer(terms);
    const { root } = await poster.tools.send({ type: 'TaskProposal', payload: offer, to: worker.address });
    const { signature: workerSignature } = await buildAcceptance(worker.account, terms);
    const created = await poster.do.createTask({ terms: offer as never, workerSignature, fundNowTok: '500' });
    const taskId = created.taskId ?? assert.fail();
    await poster.do.startWork({ taskId });

    const plain: string[] = [];
    /** A sealed file of a party, at the gateway. */
    const attach = async (by: typeof poster, text: string) => {
      plain.push(text);
      const { content, plain: open, sealed, key } = await sealFile(new TextEncoder().encode(text));
      const files = createFileClient({ baseUrl: gateway().url(), token: await by.mailbox.token() });
      await files.upload(content, { for: taskId, sealed: true });
      const artifact = { name: `${plain.length}.txt`, mediaType: 'text/plain', ...open, sealed };
      return { artifacts: [artifact], keys: { [sealed.sha256]: key } };
    };
    const { artifacts, keys } = await attach(worker, 'The letter says hello.');
    const words = { taskId, note: 'Read.', artifacts };
    await worker.do.submitProof(words);
    const { document: delivery } = buildDocument('svc-delivery-v1', { ...words, milestone: 0 });
    // As after the end of the process between the transaction and the message: the next one is told, and the poster waits.
    worker.tools.papers.save(taskId, delivery, { requestId: null, from: worker.address });
    const lacking = async () =>
      (await worker.tools.call('svc_get_task', { taskId, address: worker.address })).leftOut.filter(
        (line: string) => line.includes('others lack documents'),
      );
    assert.equal((await lacking()).length, 1);
    await worker.tools.send({ type: 'DeliveryNotice', root, payload: { document: delivery, keys } });
    assert.deepEqual(await lacking(), []);
    const scan = await attach(poster, 'It says good day.');
    const [said, filed] = ['It is wrong.', { taskId, artifacts: scan.artifacts }];
    await poster.do.openDispute({ ...filed, evidenceText: said, withoutBond: true });
    const { document: complaint } = buildDocument('svc-evidence-v1', {
      ...filed,
      name: said,
      description: said,
    });
    const evidence = { document: complaint, keys: scan.keys };
    await poster.tools.send({ type: 'DisputeEvidence', root, payload: evidence });
    const { task } = await poster.client.task(taskId);
    assert.equal(task.dispute?.judge, judge.address);

    const view = async () => {
      await judge.tools.call('svc_inbox', { address: judge.address });
      return (await judge.tools.call('svc_inbox', { address: judge.address, taskId })).work as Work[];
    };
    const states = (works: Work[]) => works.map(({ kind, documentState }) => [kind, documentState]);
    const allAre = (state: string) => ['task', 'delivery', 'evidence'].map((kind) => [kind, state]);
    assert.deepEqual(states(await view()), allAre('unavailable'));
    const owedBy = async ({ tools, address }: typeof poster) =>
      (await tools.call('svc_inbox', { address })).owedToJudge;
    const owed = [{ taskId, judge: judge.address, documents: 3, keys: 2 }];
    assert.deepEqual([await owedBy(poster), await owedBy(worker)], [owed, owed], 'both are told');
    const disclosure = { type: 'DisputeEvidence', taskId };
    const disclosed = await worker.tools.send(disclosure);
    assert.equal(disclosed.next, 'The judge got 3 documents and 2 keys.');
    assert.deepEqual(await owedBy(worker), []);
    await assert.rejects(worker.tools.send(disclosure), { code: 'TOOL_FAILED' });
    const works = await view();
    assert.deepEqual(states(works), allAre('verified'));
    const texts: string[] = [];
    for (const { read } of works.flatMap(({ files }) => files))
      texts.push((await judge.tools.call('svc_read_file', read ?? assert.fail())).untrustedText.text);
    assert.deepEqual(texts, plain, 'every file of both sides');
    // A judge has no collateral: it may write to the parties of its case.
    await ask(client, 'evm_increaseTime', marketParameters.standard.hearingSeconds + 60);
    await ask(client, 'evm_mine');
    const reasons = 'Good day it is.';
    await judge.do.resolveDispute({ taskId, workerBps: '0', reasonText: reasons });
    const { document: ruling } = buildDocument('svc-ruling-v1', { taskId, workerBps: 0, reasons });
    const note = { text: 'My reasons.', about: taskId, documents: [ruling] };
    await judge.tools.send({ type: 'Note', to: poster.address, payload: note });
    const { unknownSenders } = await poster.tools.call('svc_inbox', { address: poster.address });
    assert.ok(!JSON.stringify(unknownSenders).includes(judge.address), 'the shared task makes it known');
    const { work: known } = await poster.tools.call('svc_inbox', { address: poster.address, taskId });
    assert.deepEqual(states(known).at(-1), ['ruling', 'verified']);
    await Promise.all([poster, worker, judge].map((one) => one.close()));
  });
}

type Work = {
  readonly kind: string;
  readonly documentState: string;
  readonly files: readonly { readonly read: object | null }[];
};
