// Wallet tool servers: the development one over stdio and HTTP, and some that lie.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { WalletRequest } from '#sdk/schemas/walletRequest.ts';
import { readCallsOutcome } from '#sdk/send/callsOutcome.ts';
import type { Connection } from '#service/app/connect.ts';
import { openWallet } from '#service/cli/prepare.ts';
import { readConfig } from '#service/config.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createAuthorization } from '#service/wallet/authorization.ts';
import type { GrantStore } from '#service/wallet/grants.ts';
import { createRequestFile } from '#service/wallet/requestFile.ts';
import type { RequestChain } from '#service/wallet/requestMachine.ts';
import { openToolClient } from '#service/wallet/toolClient.ts';
import { createToolWallet } from '#service/wallet/toolWallet.ts';
import { waitForDecision } from '#service/wallet/walletInterface.ts';
import { serve } from '../support/listen.ts';
import { requestOf } from '../support/walletMarket.ts';
import { market } from './market.ts';

const { address } = accountOf('painter');

const nowhere: GrantStore = { load: () => undefined, save: () => {}, locked: (work) => work() };

test('a tool server that is started by a command sends the calls, and the chain proves it', async () => {
  const { run, gatewayUrl, depositOf } = market;
  const server = market.walletServer('painter');
  const before = await depositOf('painter');
  const topUp = ['prepare', 'top-up', '--amount-usdc', '20', '--wallet', 'mcp', '--wait'];
  const { exitCode, out, err } = await run([...topUp, '--wallet-server', server]);
  assert.equal(exitCode, 0, err);
  const document = JSON.parse(out);
  assert.equal(document.from, address, 'the wallet says who it is');
  assert.equal(document.status, 'settled');
  assert.equal(document.transactionHashes.length, 2);
  assert.equal(await depositOf('painter'), before + 20_000_000n);
  // The server names no page, so the gateway's shows what became of it; nobody can approve it there as well.
  assert.match(err, /Approve or follow it at http/);
  const id = new URL(document.approvalUrl).searchParams.get('request');
  const page = (await (await fetch(`${gatewayUrl}/v1/requests/${id}`)).json()) as WalletRequest;
  const { status, transactionHashes, request } = page;
  assert.deepEqual([status, transactionHashes], ['settled', document.transactionHashes]);
  assert.equal(request.decidedBy, 'wallet');
});

test('a tool server over HTTP signs terms', async (context) => {
  const { start, run } = market;
  const { child, ended } = start(['wallet-mcp', 'painter', '--http']);
  context.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const url = await new Promise<string>((resolve) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(/http:\S+/.exec(String(chunk))?.[0] ?? ''));
  });
  const poster = accountOf('shop').address;
  const terms = ['build-task-terms', '--poster', poster, '--worker', address, '--total-amount-tok', '200'];
  const built = await run(['prepare', ...terms, '--title', 'x', '--criteria-text', 'y', '--deadline', '+2d']);
  assert.equal(built.exitCode, 0, built.err);
  const sign = ['prepare', 'create-task', '--sign', '--terms', built.out, '--wallet', 'mcp', '--wait'];
  const { exitCode, out, err } = await run([...sign, '--wallet-server', url]);
  assert.equal(exitCode, 0, err);
  assert.match(JSON.parse(out).signature, /^0x[0-9a-f]{130}$/);
});

/** A tool server that gives these answers, and its word about what was sent is checked on the real chain. */
async function decide(answers: Readonly<Record<string, Record<string, unknown>>>, signal?: AbortSignal) {
  const { rpc } = market;
  const requestChain: RequestChain = {
    readOutcome: (asked, hashes) => readCallsOutcome(rpc, asked, hashes, 1),
    readSignature: async () => null,
  };
  const call = async (tool: string) => answers[tool] ?? {};
  const client = { call, close: async () => undefined };
  const requests = createRequestFile();
  const place = { requests, requestChain, server: 'x', chainId: 8_453, chain: 'x' };
  const wallet = createToolWallet(client, place);
  const submitted = await wallet.submit(requestOf(address));
  return waitForDecision(wallet, submitted, signal ?? new AbortController().signal);
}

test('a wallet that claims a transaction which does something else has failed', async () => {
  const { ownerOf } = market;
  const shop = accountOf('shop').address;
  const { transactionHashes } = await ownerOf('shop').submit(requestOf(shop));
  const get_request_status = { status: 'completed', transactionHashes };
  const answer = await decide({ send_calls: { requestId: '1' }, get_request_status });
  assert.equal(answer.status, 'failed');
  assert.equal(answer.error, 'The transactions are not the requested ones.');
});

test('an answer in other words is no refusal: the calls may have been taken', async (context) => {
  const inWords = () => {
    const server = new McpServer({ name: 'x', version: '0' });
    server.registerTool('send_calls', { inputSchema: z.looseObject({}) }, () => ({
      content: [{ type: 'text', text: 'I have sent it.' }],
    }));
    return server;
  };
  const handler = createMcpHandler(inWords);
  const server = await serve(toNodeHandler(handler) as RequestListener);
  const url = `${server.url}/mcp`;
  const authorization = createAuthorization(url, nowhere, null);
  const client = await openToolClient({ server: url, version: '0', authorization });
  context.after(async () => {
    await client.close();
    await handler.close();
    server.close();
  });
  await assert.rejects(client.call('send_calls', {}), {
    code: 'WALLET_ANSWER_UNCLEAR',
    message: /: "I have sent it\."\. /,
  });
});

test('an address that would be overheard, shows a password or is none is not used, nor a hosted wallet for the embedded chain', async () => {
  const options = { help: false, wallet: 'mcp', isConsented: false, wait: false, args: {} } as const;
  for (const [walletServer, message, isEmbedded = false] of [
    ['http://wallet.example/mcp', /has to begin with https/],
    ['https://me:secret@wallet.example/mcp', /must not hold a name or a password\.$/],
    ['https://', /is no address/],
    ['https://wallet.example/mcp', /it is elsewhere and cannot reach the embedded chain/, true],
  ] as const) {
    const connection = { isEmbedded: async () => isEmbedded } as unknown as Connection;
    const opened = openWallet({ ...options, walletServer }, readConfig({}), connection);
    await assert.rejects(opened, { code: isEmbedded ? 'WALLET_REFUSED' : 'USAGE', message });
  }
});

test('a wallet that says done and names nothing, or another wallet, is not believed', async () => {
  const send_calls = { requestId: '1' };
  const silent = await decide({ send_calls, get_request_status: { status: 'completed' } });
  assert.match(silent.error ?? '', /^The wallet reports success but names no transaction\. Check the wallet/);
  await assert.rejects(decide({ get_wallets: { wallets: [{ address: accountOf('shop').address }] } }), {
    code: 'WALLET_OTHER',
  });
  await assert.rejects(decide({ send_calls: { approvalUrl: 'x' } }), { code: 'WALLET_ANSWER_UNCLEAR' });
});
