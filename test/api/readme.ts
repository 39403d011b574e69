// The commands that the README shows, as they are printed there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { routes } from '#schemas/routes.ts';
import type { TestSite } from '../support/site.ts';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
/** The commands of a section; those of the posting walk build on each other and have a test of their own. */
const commandsOf = (title: string) => {
  const [, section = ''] = new RegExp(`^## ${title}\\n([\\s\\S]*?)^## `, 'm').exec(readme) ?? [];
  return section.split('\n').filter((line) => line.startsWith('curl '));
};
const commands = commandsOf('The API');
const shown = [...commands, ...commandsOf('Posting quota')];

export function testReadme(siteOf: () => TestSite): void {
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
        .replaceAll('http://localhost:8080', siteOf().url())
        .replaceAll('localhost:8080', siteOf().url());
      // A stream ends only with the patience of who listens.
      const patience = here.includes('/api/events') ? ' --max-time 1 || test $? = 28' : '';
      const { stdout } = await promisify(execFile)(
        'sh',
        ['-c', here.replace(/^curl /, `curl -sS -w '\\n%{http_code}' `) + patience],
        {
          maxBuffer: 10 * 1024 * 1024,
        },
      );
      assert.match(stdout, /\S\s*\n2\d\d$/);
    });
  }
}
