// A private dispute before the fallback judge, who gets every document and key from one party, over the tools, and opens
// every file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWalletClient, http } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { createFileClient } from '#sdk/client/fileClient.ts';
import type { WriteRun } from '#sdk/client/runAction.ts';
import { sealFile } from '#sdk/client/sealFile.ts';
import { marketParameters } from '#sdk/domain/parameters.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import type { Cast } from '../support/cast.ts';
import { ask } from '../support/devnet.ts';
import type { TestGateway } from '../support/gateway.ts';
import { openTools } from './tools.ts';

type Needs = { readonly gateway: () => TestGateway; readonly cast: () => Cast };

const account = (name: Parameters<typeof accountOf>[0]) => privateKeyToAccount(accountOf(name).privateKey);

export function testEscalation({ gateway, cast }: Needs): void {
  test('the judge of a private dispute opens every file, although only one party helps', async () => {
    const client = createMarketClient({ baseUrl: gateway().url(), rpcUrl: gateway().devnet.rpcUrl });
    const [ann, bob, fallback] = [account('newcomer'), account('visitor'), account('fallback')];
    const act = async (by: PrivateKeyAccount, run: WriteRun) => {
      const transport = http(gateway().devnet.rpcUrl);
      const { prepared } = await run.send(
        createWalletClient({ account: by, transport, pollingInterval: 25 }),
      );
      return { ...prepared, ...(await run.wait()) } as typeof prepared & { taskId: string | null };
    };
    const [poster, worker] = [openTools(gateway(), ann), openTools(gateway(), bob)];
    const parties = { poster: ann.address, worker: bob.address };
    const built = await client.actions
      .buildTaskTerms({
        ...parties,
        title: 'Read a letter',
        criteriaText: 'All of it.',
        totalAmountTok: '500',
        deadline: '+7d',
        scope: 'private',
      })
      .prepare();
    const { terms, document, settlementDigest, typedData } = built as never as Built;
    const offer = { terms, document, settlementDigest, expiresAt: terms.acceptBy };
    const { root } = await poster.send({ type: 'TaskProposal', payload: offer, to: bob.address });
    const workerSignature = await bob.signTypedData(typedData as never);
    const created = await act(
      ann,
      client.actions.createTask({ terms: { terms, document } as never, workerSignature, fundNowTok: '500' }),
    );
    const taskId = created.taskId ?? assert.fail();
    await act(ann, client.actions.startWork({ taskId }));

    const plain: string[] = [];
    /** A sealed file of a party, at the gateway. */
    const attach = async (by: PrivateKeyAccount, text: string) => {
      plain.push(text);
      const { content, plain: open, sealed, key } = await sealFile(new TextEncoder().encode(text));
      const token = await gateway().signIn(by);
      await createFileClient({ baseUrl: gateway().url(), token }).upload(content, { for: taskId });
      const artifact = { name: `${plain.length}.txt`, mediaType: 'text/plain', ...open, sealed };
      return { artifacts: [artifact], keys: { [sealed.sha256]: key } };
    };
    const work = await attach(bob, 'The letter says hello.');
    const delivered = await act(
      bob,
      client.actions.submitProof({ taskId, note: 'Read.', artifacts: work.artifacts }),
    );
    const { document: delivery } = delivered as never as Filed;
    // As after the end of the process between the transaction and the message: the next one is told, and the poster waits.
    worker.papers.save(taskId, delivery as never, { requestId: null, from: bob.address });
    const lacking = async () =>
      (await worker.call('svc_get_task', { taskId, address: bob.address })).leftOut.filter((line: string) =>
        line.includes('others lack documents'),
      );
    assert.equal((await lacking()).length, 1);
    await worker.send({ type: 'DeliveryNotice', root, payload: { document: delivery, keys: work.keys } });
    assert.deepEqual(await lacking(), []);
    const scan = await attach(ann, 'It says good day.');
    const disputed = await act(
      ann,
      client.actions.openDispute({
        taskId,
        evidenceText: 'It is wrong.',
        artifacts: scan.artifacts,
        withoutBond: true,
      }),
    );
    const { document: complaint } = disputed as never as Filed;
    // The hash is that of the document.
    await poster.send({ type: 'DisputeEvidence', root, payload: { document: complaint, keys: scan.keys } });
    const { task } = await client.task(taskId);
    assert.equal(task.dispute?.judge, fallback.address);

    const judge = openTools(gateway(), fallback);
    const view = async () => {
      await judge.call('svc_inbox', { address: fallback.address });
      return (await judge.call('svc_inbox', { address: fallback.address, taskId })).work as Work[];
    };
    const states = (works: Work[]) => works.map(({ kind, documentState }) => [kind, documentState]);
    const kinds = ['task', 'delivery', 'evidence'];
    assert.deepEqual(
      states(await view()),
      kinds.map((kind) => [kind, 'unavailable']),
    );
    const owedBy = async (tools: ReturnType<typeof openTools>, by: PrivateKeyAccount) =>
      (await tools.call('svc_inbox', { address: by.address })).owedToJudge;
    const owed = [{ taskId, judge: fallback.address, documents: 3, keys: 2 }];
    assert.deepEqual([await owedBy(poster, ann), await owedBy(worker, bob)], [owed, owed], 'both are told');
    const disclosed = await worker.send({ type: 'DisputeEvidence', taskId });
    assert.equal(disclosed.next, 'The judge got 3 documents and 2 keys.');
    assert.deepEqual(await owedBy(worker, bob), []);
    await assert.rejects(worker.send({ type: 'DisputeEvidence', taskId }), { code: 'TOOL_FAILED' });
    const works = await view();
    assert.deepEqual(
      states(works),
      kinds.map((kind) => [kind, 'verified']),
    );
    const texts = await Promise.all(
      works
        .flatMap(({ files }) => files)
        .map(
          async ({ read }) => (await judge.call('svc_read_file', read ?? assert.fail())).untrustedText.text,
        ),
    );
    assert.deepEqual(texts, plain, 'every file of both sides');
    // A judge has no collateral: it may write to the parties of its case.
    await ask(cast().client, 'evm_increaseTime', marketParameters.standard.hearingSeconds + 60);
    await ask(cast().client, 'evm_mine');
    const ruled = await act(
      fallback,
      client.actions.resolveDispute({ taskId, workerBps: '0', reasonText: 'Good day it is.' }),
    );
    const { document: reasons } = ruled as never as Filed;
    const note = { text: 'My reasons.', about: taskId, documents: [reasons] };
    await judge.send({ type: 'Note', to: ann.address, payload: note });
    const { unknownSenders } = await poster.call('svc_inbox', { address: ann.address });
    assert.ok(!JSON.stringify(unknownSenders).includes(fallback.address), 'the shared task makes it known');
    const { work: known } = await poster.call('svc_inbox', { address: ann.address, taskId });
    assert.deepEqual(states(known).at(-1), ['ruling', 'verified']);
  });
}

type Built = {
  readonly terms: { readonly acceptBy: number };
  readonly document: object;
  readonly settlementDigest: string;
  readonly typedData: object;
};
type Filed = { readonly document: object };
type Work = {
  readonly kind: string;
  readonly documentState: string;
  readonly files: readonly { readonly read: object | null }[];
};
