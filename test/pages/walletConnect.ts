// WalletConnect: absent without a project id; with one, its own chunk, only its relay, and a message when the relay is down.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builtPagesFolder } from '#service/app/packageFiles.ts';
import { createPages } from '#service/http/pages.ts';
import { openView } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { browser, gateway, options } from './scene.ts';

const projectId = '0123456789abcdef0123456789abcdef';
const isChunk = (url: string) => /\/assets\/(session|PairingCode)-/.test(url);

describe('WalletConnect', options, () => {
  test('without a project id there is no button, no chunk is loaded, and no other server is asked', async (context) => {
    const { page } = await openView(context, browser, `${gateway.url()}/market.html`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByText('No wallet was found in this browser').waitFor();
    assert.equal(await page.getByRole('button', { name: /WalletConnect/ }).count(), 0);
    assert.deepEqual(asked.filter(isChunk), []);
    assert.ok(asked.every((url) => url.startsWith(gateway.url())));
  });

  test('with a project id it is offered, contacts only the relay, and reports when the relay is down', async (context) => {
    const { rpcUrl } = gateway.devnet;
    const pages = createPages(() => ({ walletConnect: { projectId, rpcUrl } }));
    pages.load(builtPagesFolder);
    await gateway.restart({ pages });
    context.after(() => gateway.restart());
    const { headers } = await gateway.get('/market.html');
    const policy = headers.get('content-security-policy') ?? '';
    const [, places] = /connect-src ([^;]*);/.exec(policy) ?? [];
    assert.equal(places, `'self' wss://relay.walletconnect.org ${rpcUrl}`);
    assert.match(policy, /default-src 'none'.*script-src 'self';/);

    const { page } = await openView(context, browser, `${gateway.url()}/market.html`, { isAlone: true });
    const sockets: string[] = [];
    const asked: string[] = [];
    await page.routeWebSocket(/./, (socket) => {
      sockets.push(new URL(socket.url()).origin);
      socket.close();
    });
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.install();
    await page.reload();
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    assert.deepEqual(asked.filter(isChunk), [], 'not loaded before it is chosen');
    await page.getByRole('button', { name: /WalletConnect/ }).click();
    await until(() => sockets.length > 0);
    // Fast-forward past the timeout.
    await page.clock.fastForward(15_000);
    await page.getByText('The WalletConnect relay does not respond').waitFor();
    assert.ok(asked.some(isChunk));
    assert.deepEqual([...new Set(sockets)], ['wss://relay.walletconnect.org']);
    assert.ok(asked.every((url) => url.startsWith(gateway.url())));
    assert.ok(await page.getByRole('button', { name: /WalletConnect/ }).isEnabled());
  });
});
