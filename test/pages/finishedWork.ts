// Finished tasks on My work: what the wallet received and paid.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseTok } from '#sdk/domain/amount.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { checkBarriers } from './barriers.ts';
import { gateway, openAs, options } from './scene.ts';

describe('finished tasks', options, () => {
  test('finished tasks on My work say what the wallet received, by month too, and every payment can be saved as CSV', async (context) => {
    const { address } = accountOf('linguist');
    const { page } = await openAs(context, 'linguist', '/my.html');
    const { body: ledger } = await gateway.get(`/api/get-market-ledger?address=${address}`);
    const finished = page.getByRole('region', { name: 'Finished' });
    await finished
      .getByText(/^You received [\d,.]+ TOK/)
      .first()
      .waitFor();
    await checkBarriers(page);
    await page.getByRole('link', { name: 'What you received and paid' }).click();
    await page.getByRole('heading', { name: 'Received and paid' }).waitFor();
    await checkBarriers(page);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Standard', exact: true }).click();
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), `svc-standard-${address}.csv`);
    const [head, ...rows] = readFileSync(await saved.path(), 'utf8')
      .trim()
      .split('\r\n');
    assert.match(head ?? '', /^time,task,kind,TOK,/);
    const earned = rows.map((row) => row.split(',')).filter(([, , kind]) => kind === 'earned');
    const received = earned.reduce((sum, [, , , amount]) => sum + parseTok(amount), 0n);
    assert.equal(String(received), ledger.asWorker.releasedTokWei);
    await page
      .getByRole('row', { name: /^[A-Z][a-z]{2} 2\d{3}.*\$/ })
      .first()
      .waitFor();
  });
});
