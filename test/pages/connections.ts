// An owner lets an agent read its mail: the question in plain words, one signature, and the end of it.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { shoot } from '../support/browser.ts';
import { serve } from '../support/listen.ts';
import { checkBarriers } from './barriers.ts';
import { gateway, openAs, options } from './scene.ts';

describe('connected agents', options, () => {
  test('an owner reads who asks, allows it once, finds it in the list and ends it; another it refuses', async (context) => {
    const answers: URL[] = [];
    const { url, close } = await serve((request, response) => {
      answers.push(new URL(request.url ?? '', 'http://client'));
      response.setHeader('content-type', 'text/html').end('<title>Back</title><p>You are back.</p>');
    });
    context.after(close);
    const redirect = `${url}/answer`;
    const name = 'Wallet of svc <b>verified</b> \u202egnp';
    const registered = await gateway.post('/oauth/register', {
      redirect_uris: [redirect],
      client_name: name,
    });
    const verifier = randomBytes(32).toString('base64url');
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: registered.body.client_id,
      redirect_uri: redirect,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'mine',
    });
    const { page, wallet } = await openAs(context, 'coder', `/oauth/authorize?${asked}`);
    await page.getByRole('heading', { name: 'A program on this computer wants to connect' }).waitFor();
    await page.getByText('Nobody vouches for this name.').waitFor();
    // No character of its name turns the text round.
    await page.getByText('verified</b>  gnp').waitFor();
    await page.getByText('It cannot move money and cannot sign for you.').waitFor();
    assert.ok(
      await page.getByRole('article', { name: 'It calls itself' }).getByText('<b>verified</b>').isVisible(),
    );
    await checkBarriers(page);
    await shoot(page, 'connect.png', 1_000);
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.getByText('You are back.').waitFor();
    assert.equal(answers.at(-1)?.searchParams.get('error'), 'access_denied');

    await page.goto(`${gateway.url()}/oauth/authorize?${asked}`);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('You are back.').waitFor();
    const { searchParams } = answers.at(-1) ?? assert.fail();
    assert.deepEqual([searchParams.get('state'), searchParams.get('iss')], ['mine', gateway.url()]);
    const exchange = {
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      client_id: registered.body.client_id,
      code_verifier: verifier,
    };
    const tokens = await fetch(`${gateway.url()}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(exchange),
    });
    const { access_token } = (await tokens.json()) as { access_token: string };
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'svc_inbox', arguments: { address: wallet.address } },
    };
    const headers = {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${access_token}`,
    };
    assert.equal((await gateway.send('POST', '/mcp', call, headers)).status, 200);

    await page.goto(`${gateway.url()}/connections.html`);
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await page.getByText('calls itself').waitFor();
    await checkBarriers(page);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('None. An agent asks').waitFor();
    assert.equal((await gateway.send('POST', '/mcp', call, headers)).status, 401);
  });
});
