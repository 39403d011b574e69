// Proves how the svc command handles valid and invalid command lines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { reportFailure } from './cli/failure.ts';
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

test('an unknown command and a missing command exit with 2 and a clear sentence', async () => {
  for (const name of ['nonsense', 'toString', '__proto__']) {
    const { exitCode, out, err } = await call(name);
    assert.equal(exitCode, 2);
    assert.equal(out, '');
    assert.equal(err, `There is no command "${name}"; "svc --help" lists all commands.`);
  }
  const bare = await call();
  assert.equal(bare.exitCode, 2);
  assert.match(bare.err, /^Usage: svc <command>/);
});

test('every command has a help that names all its options and shows an example', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { usage } = await load();
    const { exitCode, out, err } = await call(name, '--help');
    assert.deepEqual([exitCode, err], [0, ''], name);
    assert.match(out, new RegExp(`^Usage: svc ${name}[ \\n]`), name);
    for (const option of [...Object.keys(usage.options), 'json', 'help'])
      assert.match(out, new RegExp(`^  (-h, )?--${option}\\b`, 'm'), `${name} --${option}`);
    assert.match(out, new RegExp(`^Examples?\\n.*svc ${name}`, 'm'), name);
    assert.ok(
      out.split('\n').every((line) => line.length <= 118),
      name,
    );
    assert.deepEqual(await call(name, '-h'), { exitCode, out, err });
  }
});

test('an unknown option exits with 2 and a hint, as JSON if requested', async () => {
  for (const name of Object.keys(commands)) {
    const { exitCode, out, err } = await call(name, '--hepl', '--json');
    const error = `Unknown option '--hepl'; see svc ${name} --help. Did you mean --help?`;
    assert.deepEqual([exitCode, err], [2, error], name);
    assert.deepEqual(JSON.parse(out), { error, code: 'USAGE' });
    const stray = await call(name, ...Array(3).fill('0xsecret'));
    assert.equal(stray.exitCode, 2, name);
    if (name !== 'prepare') assert.doesNotMatch(stray.err + stray.out, /0xsecret/, name);
  }
  assert.deepEqual(JSON.parse((await call('nonsense', '--json')).out), {
    error: 'There is no command "nonsense"; "svc --help" lists all commands.',
    code: 'USAGE',
  });
});

test('an unexpected error is reported as such, and JSON output has no stack', () => {
  const written = { out: '', err: '' };
  const output = { out: (text: string) => (written.out = text), err: (text: string) => (written.err = text) };
  assert.equal(reportFailure(new TypeError('x is not a function'), output, true), 1);
  assert.match(written.err, /^svc failed unexpectedly: TypeError: x is not a function\n +at /);
  assert.deepEqual(JSON.parse(written.out), { error: 'Something went wrong on our side.', code: 'INTERNAL' });
});
