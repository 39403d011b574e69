// What an owner signs while the tools are away: the next ones deliver it. Each are a process of their own, as clients start them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { accountOf } from '#service/devnet/accounts.ts';
import { compileCache, createFolder, svcScript } from '../support/svc.ts';
import { callTool } from '../support/tools.ts';
import { gateway } from './scene.ts';
import { approve } from './walk.ts';

const [poster, worker] = [accountOf('press').address, accountOf('linguist').address];

test('a signature that is given while the tools restart is delivered by the next ones, also that of an acceptance', async (context) => {
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: compileCache,
    SVC_DATA_DIR: createFolder(context),
    SVC_SITE_URL: gateway.url(),
    SVC_GATEWAY_URL: gateway.url(),
  };
  const open = async () => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({ command: process.execPath, args: [svcScript, 'mcp'], env });
    await client.connect(transport);
    const send = async (args: object) => (await callTool(client, 'svc_send_message', args)).data;
    return { send, close: () => client.close() };
  };
  type Tools = Awaited<ReturnType<typeof open>>;
  /** Approves sign-ins until the message itself, or the terms, wait for a signature. */
  const begin = async ({ send }: Tools, from: string, args: object) => {
    let answer = await send({ from, ...args });
    for (; /session/.test(answer.next); answer = await send({ from, ...args }))
      await approve(answer.approvalUrl, from);
    return answer;
  };
  /** Goes on with what is signed, and signs what comes after it. */
  const finish = async (tools: Tools, from: string, requestId: string) => {
    let answer = await begin(tools, from, { requestId });
    while (!answer.sent) {
      await approve(answer.approvalUrl, from);
      answer = await begin(tools, from, { requestId: answer.requestId });
    }
    return answer;
  };
  let tools = await open();
  context.after(() => tools.close());
  const restart = async () => {
    await tools.close();
    tools = await open();
  };
  const offer = { title: 'Birds', criteriaText: 'All.', totalAmountTok: '1500', deadline: '+7d' };
  const proposing = await begin(tools, poster, { type: 'TaskProposal', to: worker, offer });
  assert.deepEqual([proposing.sent, proposing.status], [false, 'pending'], JSON.stringify(proposing));
  await approve(proposing.approvalUrl, poster);
  await restart();
  const { root, settlementDigest } = await finish(tools, poster, proposing.requestId);
  const accepting = await begin(tools, worker, { type: 'TaskAcceptance', root, settlementDigest });
  assert.equal(accepting.status, 'pending', JSON.stringify(accepting));
  await approve(accepting.approvalUrl, worker);
  await restart();
  const foreign = await begin(tools, poster, { requestId: accepting.requestId });
  assert.equal(foreign.code, 'WALLET_REQUEST_NOT_FOUND', 'of another wallet');
  const accepted = await finish(tools, worker, accepting.requestId);
  assert.equal(accepted.settlementDigest, settlementDigest);
  assert.equal(accepted.root, root);
});
