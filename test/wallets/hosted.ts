// A hosted wallet tool server: it asks for permission by OAuth, once, and what it grants is kept where only its owner reads.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createGrantFile } from '#service/app/walletRequests.ts';
import { createAuthorization } from '#service/wallet/authorization.ts';
import { openToolClient } from '#service/wallet/toolClient.ts';
import { address, startHosted } from './hostedServer.ts';

export function testHostedWallet(): void {
  test('permission is requested once, saved for its owner only, used again, renewed, and requested again when revoked', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-grants-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'deeper/wallet-grants.json');
    const { url, seen, expire, revoke } = await startHosted(context);
    const shown: string[] = [];
    /** The owner: opens the shown address in a browser, which follows the redirect. A forged redirect comes first. */
    const show = async (line: string) => {
      shown.push(line);
      const page = new URL(/http\S+/.exec(line)?.[0] ?? '');
      const foreign = new URL(page.searchParams.get('redirect_uri') ?? '');
      foreign.search = '?code=stolen&state=guessed';
      assert.equal((await fetch(foreign)).status, 404);
      await fetch(page);
    };
    const open = () =>
      openToolClient({
        server: url,
        version: '0',
        authorization: createAuthorization(url, createGrantFile(file), (line) => void show(line)),
      });
    /** As one process after the other. */
    const useOnce = async () => {
      const client = await open();
      assert.deepEqual(await client.call('get_wallets', {}), { wallets: [{ address, chains: ['base'] }] });
      await client.close();
      assert.equal(statSync(file).mode & 0o777, 0o600);
    };
    await useOnce();
    await useOnce();
    assert.equal(shown.length, 1, 'the second time needs nobody');
    assert.deepEqual(seen, { ...seen, registrations: 1, grants: 1, refreshes: 0 });
    expire();
    await useOnce();
    assert.deepEqual(
      seen,
      { ...seen, registrations: 1, grants: 1, refreshes: 1 },
      'what has run out is renewed',
    );
    assert.equal(shown.length, 1);
    revoke();
    await useOnce();
    assert.equal(shown.length, 2, 'its owner is asked again');
    assert.deepEqual(seen, { ...seen, registrations: 1, grants: 2, refreshes: 1 });
    assert.match(readFileSync(file, 'utf8'), /refresh_token/);
    const unattended = createAuthorization(url, createGrantFile(join(folder, 'none.json')), null);
    await assert.rejects(openToolClient({ server: url, version: '0', authorization: unattended }), {
      message: /asks its owner for permission/,
    });
  });
}
