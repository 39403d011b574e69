// The commands that README and docs/using-the-api.md show, as they are printed there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { routes } from '#sdk/schemas/routes.ts';
import { readCurls, readGuide } from '../support/guide.ts';
import { site } from './site.ts';

const guide = readGuide('docs/using-the-api.md');
/** The posting commands depend on each other and have a separate test. */
const reads = readCurls(guide, 'Reading the market');
const shown = [...reads, ...readCurls(guide, 'Posting quota')];
const commands = new Set([...readCurls(readGuide('README.md'), 'What you see'), ...reads]);

test('it shows a command for every route', () => {
  for (const { path } of Object.values(routes)) {
    assert.ok(
      shown.some((command) => command.includes(`localhost:8080${path}`)),
      path,
    );
  }
});

for (const command of commands) {
  test(`${command} works`, async () => {
    const here = command
      .replaceAll('http://localhost:8080', site.url())
      .replaceAll('localhost:8080', site.url());
    // A stream ends only when the client stops reading.
    const patience = here.includes('/api/events') ? ' --max-time 3 || test $? = 28' : '';
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', here.replace(/^curl /, `curl -sS -w '\\n%{http_code}' `) + patience],
      {
        maxBuffer: 10 * 1024 * 1024,
      },
    );
    assert.match(stdout, /\S\s*\n2\d\d$/);
    // A search that finds nothing shows its reader nothing.
    assert.doesNotMatch(stdout, /"tasks":\[\]/);
    if (here.includes('/feed')) assert.match(stdout, /<entry>/);
  });
}

const calls = [...guide.text.matchAll(/\bmarket\.(open|recent)\((\{[^}]*\})\)/g)];
test('searches with the typed client find something', async () => {
  assert.ok(calls.length > 1);
  const market = createMarketClient({ baseUrl: site.url() });
  for (const [call, name, options = ''] of calls) {
    const asked = JSON.parse(options.replaceAll("'", '"').replace(/(\w+):/g, '"$1":'));
    assert.notDeepEqual((await market[name as 'open' | 'recent'](asked)).tasks, [], call);
  }
});
