// Proves that a mailbox opens one session where many calls need one, and one more where it was lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMailboxClient } from './mailboxClient.ts';

const wallet = { address: `0x${'ab'.repeat(20)}`, signTypedData: async () => '0xab' as const } as const;

test('parallel calls share one session, and one new session after it was lost', async () => {
  let opened = 0;
  const isRefused = (headers: Headers) => headers.get('authorization') !== `Bearer ${opened}`;
  const mailbox = createMailboxClient({
    baseUrl: 'https://gateway.example',
    wallet,
    chainId: 1,
    fetch: async (url, { headers }) => {
      if (url.endsWith('/v1/sessions')) {
        const expiresAt = Math.floor(Date.now() / 1_000) + 3_600;
        return Response.json({ token: String(++opened), expiresAt }, { status: 201 });
      }
      return isRefused(new Headers(headers))
        ? Response.json({ error: 'no session', code: 'SESSION_REQUIRED' }, { status: 403 })
        : Response.json({ messages: [], nextAfter: 0 });
    },
  });
  await Promise.all([mailbox.read(), mailbox.read(), mailbox.read()]);
  assert.equal(opened, 1);
  // The gateway has lost it: only another token is good from now on.
  opened++;
  await Promise.all([mailbox.read(), mailbox.read(), mailbox.read()]);
  assert.equal(opened, 3);
});
