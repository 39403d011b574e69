// Proves what the svc command answers to good and bad command lines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commands, main } from './main.ts';

async function call(...args: string[]) {
  const written = { out: '', err: '' };
  const exitCode = await main(args, {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
  });
  return { exitCode, ...written };
}

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  assert.deepEqual(await call('--version'), { exitCode: 0, out: version, err: '' });
});

test('--help lists every command', async () => {
  const { exitCode, out } = await call('--help');
  assert.equal(exitCode, 0);
  for (const [name, { summary }] of Object.entries(commands))
    assert.ok(
      out.split('\n').some((line) => line.startsWith(`  ${name} `) && line.endsWith(` ${summary}`)),
      name,
    );
});

test('an unknown command and no command at all exit 2 with a clear sentence', async () => {
  for (const name of ['nonsense', 'toString', '__proto__']) {
    const { exitCode, out, err } = await call(name);
    assert.equal(exitCode, 2);
    assert.equal(out, '');
    assert.equal(err, `There is no command "${name}"; "svc --help" lists those there are.`);
  }
  const bare = await call();
  assert.equal(bare.exitCode, 2);
  assert.match(bare.err, /^Usage: svc <command>/);
});

test('a wrong argument exits 2 and names it', async () => {
  const { exitCode, err } = await call('config', '--loud');
  assert.equal(exitCode, 2);
  assert.match(err, /--loud/);
});

test('every command in the table can be loaded', async () => {
  for (const command of Object.values(commands)) assert.equal(typeof (await command.load()).run, 'function');
});
