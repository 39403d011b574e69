// A hosted wallet tool server: it asks for permission by OAuth, once, and renews it, where using a refresh token twice ends the
// whole grant.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createGrantFile } from '#service/app/walletRequests.ts';
import { createAuthorization } from '#service/wallet/authorization.ts';
import { createRequestFile } from '#service/wallet/requestFile.ts';
import { openToolClient, type ToolClient } from '#service/wallet/toolClient.ts';
import { createToolWallet } from '#service/wallet/toolWallet.ts';
import { createFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { requestOf } from '../support/walletMarket.ts';
import { address, answer, startHosted } from './hostedServer.ts';

async function startSession(context: TestContext) {
  const file = join(createFolder(context), 'deeper/wallet-grants.json');
  const hosted = await startHosted(context);
  const shown: string[] = [];
  const ended: Promise<unknown>[] = [];
  context.after(() => Promise.all(ended));
  /** Its owner, who opens the shown address in a browser. A forged redirect comes first. */
  const show = async (line: string) => {
    shown.push(line);
    const page = new URL(/http\S+/.exec(line)?.[0] ?? '');
    const foreign = new URL(page.searchParams.get('redirect_uri') ?? '');
    foreign.search = '?code=stolen&state=guessed';
    assert.equal((await fetch(foreign)).status, 404);
    // Browsers open connections that they may need; one that is not used holds nobody up.
    const spare = connect(Number(new URL(page.searchParams.get('redirect_uri') ?? '').port), '127.0.0.1');
    spare.once('connect', () => void fetch(page).catch(() => undefined));
    ended.push(once(spare, 'close'));
  };
  /** Each has a separate authorization, as processes have; only the file is shared. */
  const authorize = (isAttended = true) =>
    createAuthorization(hosted.url, createGrantFile(file), isAttended ? (line) => void show(line) : null);
  const open = async (isAttended = true, authorization = authorize(isAttended)): Promise<ToolClient> => {
    const client = await openToolClient({ server: hosted.url, version: '0', authorization });
    context.after(() => client.close());
    return client;
  };
  return { hosted, shown, authorize, open, file };
}

const wallets = { wallets: [{ address, chains: ['base'] }] };

async function callAtOnce(times: number, ...clients: ToolClient[]): Promise<void> {
  const calls = clients.flatMap((client) =>
    Array.from({ length: times }, () => client.call('get_wallets', {})),
  );
  assert.deepEqual(
    await Promise.all(calls),
    calls.map(() => wallets),
  );
}

test('permission is requested once, saved for its owner only, used again, renewed, and requested again when revoked', async (context) => {
  const { hosted, shown, open, file } = await startSession(context);
  /** As one process after the other; what it then counts. */
  const useOnce = async () => {
    await callAtOnce(1, await open());
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { registrations, grants, refreshes } = hosted.seen;
    return [shown.length, registrations, grants, refreshes];
  };
  assert.deepEqual(await useOnce(), [1, 1, 1, 0]);
  assert.deepEqual(await useOnce(), [1, 1, 1, 0], 'the second time needs nobody');
  hosted.expire();
  assert.deepEqual(await useOnce(), [1, 1, 1, 1], 'what has run out is renewed');
  hosted.revoke();
  assert.deepEqual(await useOnce(), [2, 1, 2, 1], 'its owner is asked again');
  assert.match(readFileSync(file, 'utf8'), /refresh_token/);
  hosted.revoke();
  await assert.rejects(open(false), { message: /asks its owner for permission/ });
});

test('a call and the stream for messages find it run out at once: it is renewed once', async (context) => {
  const { hosted, open } = await startSession(context);
  // For the two requests that begin a session.
  hosted.limitUses(2);
  hosted.onRefresh = async () => {
    hosted.limitUses(Number.POSITIVE_INFINITY);
    await until(() => hosted.seen.refusals >= 3);
  };
  await callAtOnce(1, await open());
  assert.deepEqual(hosted.seen, { ...hosted.seen, refreshes: 1, reuses: 0 });
});

test('two processes with one file find it run out at once: one renews it, the other takes that', async (context) => {
  const { hosted, shown, open } = await startSession(context);
  const clients = [await open(), await open(false)];
  for (const refreshes of [1, 2]) {
    hosted.expire();
    const { refusals } = hosted.seen;
    hosted.onRefresh = () => until(() => hosted.seen.refusals >= refusals + 6);
    await callAtOnce(3, ...clients);
    assert.deepEqual(hosted.seen, { ...hosted.seen, grants: 1, refreshes, reuses: 0 });
  }
  assert.equal(shown.length, 1);
});

test('once it is revoked its owner is asked one time for all calls, and unattended calls say what to do', async (context) => {
  const { hosted, shown, open } = await startSession(context);
  const client = await open();
  const unattended = await open(false);
  hosted.revoke();
  const inVain = await Promise.allSettled([1, 2, 3].map(() => unattended.call('get_wallets', {})));
  for (const each of inVain) {
    assert.equal(each.status, 'rejected');
    assert.equal(each.reason.code, 'WALLET_REFUSED');
    assert.match(each.reason.message, /asks its owner for permission; run "svc request <requestId>"/);
  }
  await callAtOnce(4, client);
  assert.equal(shown.length, 2);
  await callAtOnce(2, client, unattended);
  assert.deepEqual(hosted.seen, { ...hosted.seen, registrations: 1, grants: 2, reuses: 0 });
});

test('a call that hears of the end late takes the permission that its owner gave meanwhile', async (context) => {
  const { hosted, shown, authorize, open } = await startSession(context);
  const authorization = authorize();
  const client = await open(true, authorization);
  hosted.revoke();
  await callAtOnce(1, client);
  // What the library does for a call whose refusal came before that permission.
  const { client_id = '' } = (await authorization.provider.clientInformation()) ?? {};
  await authorization.provider.redirectToAuthorization(new URL(`${hosted.url}?client_id=${client_id}`));
  await authorization.finish(() => assert.fail('nobody is asked'));
  await callAtOnce(1, client);
  assert.deepEqual([shown.length, hosted.seen.grants], [2, 2]);
});

test('a server that cannot renew it just now loses neither the grant nor the calls that were to be sent', async (context) => {
  const { hosted, shown, open } = await startSession(context);
  const client = await open();
  const requestChain = { readOutcome: async () => assert.fail(), readSignature: async () => null };
  const requests = createRequestFile();
  const place = { requests, requestChain, server: hosted.url, chainId: 8_453, chain: '0x' };
  const wallet = createToolWallet(client, place);
  const hand = () => wallet.submit(requestOf(address));
  // It says whose wallets it has, and then does not know us any more.
  hosted.limitUses(1);
  hosted.expire();
  let renewals = 0;
  hosted.onRefresh = async (response) => {
    if (renewals++ > 0) answer(response, 503, {});
  };
  await assert.rejects(hand(), {
    code: 'WALLET_NOT_RENEWED',
    message: /^Nothing was done: .*Try again later/,
  });
  hosted.onRefresh = async () => hosted.limitUses(Number.POSITIVE_INFINITY);
  assert.match((await hand()).requestId, /^mcp-/);
  assert.deepEqual([shown.length, hosted.seen.reuses], [1, 0]);
});
