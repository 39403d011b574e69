// Holds the architecture: who may import whom, no cycles, short files, pages free of Node, one reader of the environment.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkArchitecture, type Rules } from './architecture/check.ts';

const root = join(import.meta.dirname, '..');
const fixtures = join(import.meta.dirname, 'fixtures/architecture');

const rules: Rules = {
  mayImport: {
    domain: [],
    schemas: ['domain'],
    client: ['domain', 'schemas'],
    negotiation: ['domain', 'schemas'],
    chain: ['domain', 'schemas'],
    store: ['domain', 'schemas'],
    service: ['domain', 'schemas'],
    projection: ['domain', 'schemas'],
    keeper: ['domain', 'chain'],
    devnet: ['domain', 'chain'],
    http: ['domain', 'schemas', 'service'],
    tools: ['domain', 'schemas', 'negotiation', 'chain', 'service'],
    commands: ['*'],
    config: ['domain'],
    main: ['commands', 'config'],
    web: ['domain', 'schemas', 'client', 'negotiation', 'chain/abi', 'chain/calls', 'chain/revert'],
  },
  strangers: [['src/http/api', 'src/http/gateway']],
  webSafe: [
    'src/domain',
    'src/schemas',
    'src/client',
    'src/negotiation',
    '!src/negotiation/transport',
    'src/chain/abi',
    'src/chain/calls',
    'src/chain/revert',
    'src/chain/revertSentences',
  ],
  maxLines: 400,
  forbiddenNames: ['index', 'utils', 'helpers', 'types', 'common'],
  environmentReader: 'src/config.ts',
};

test('the tree keeps every rule', () => {
  const findings = checkArchitecture(root, rules);
  assert.deepEqual(
    findings.map(({ rule, file, line, message }) => `${rule}: ${file}:${line} ${message}`),
    [],
  );
});

/** What each fixture breaks: file and line of the one finding that must come back. */
const breaches: Record<string, readonly string[]> = {
  'computed-import': ['src/domain/plugin.ts:3'],
  cycle: ['src/store/alpha.ts:2'],
  'forbidden-arrow': [
    'src/domain/dynamic.ts:3',
    'src/http/api/tasks.ts:2',
    'src/schemas/reexport.ts:2',
    'src/store/typed.ts:2',
    'src/tools/back.ts:2',
  ],
  'forbidden-name': ['src/service/utils.ts:1'],
  'hash-inside-room': ['src/domain/ids.ts:2'],
  'long-file': ['src/service/endless.ts:401'],
  'node-in-web-safe': ['src/chain/calls/post.ts:2', 'src/domain/hash.ts:2', 'src/negotiation/envelope.ts:2'],
  'process-env': [
    'src/service/bracket.ts:2',
    'src/service/direct.ts:2',
    'src/service/imported.ts:2',
    'src/service/taken.ts:2',
  ],
  'relative-across-rooms': ['src/service/posting.ts:2'],
  strangers: ['src/http/gateway/claim.ts:2'],
  'unknown-room': ['src/attic/box.ts:1'],
  unresolved: ['src/service/lost.ts:2'],
  'web-reach': ['src/chain/calls/post.ts:2', 'web/page.tsx:2'],
};

for (const [rule, expected] of Object.entries(breaches)) {
  test(`a breach of ${rule} is found and named`, () => {
    const findings = checkArchitecture(join(fixtures, rule), rules);
    const found = findings.filter((finding) => finding.rule === rule);
    assert.deepEqual(found.map(({ file, line }) => `${file}:${line}`).sort(), expected);
  });
}

test('a tree that keeps every rule has no finding', () => {
  assert.deepEqual(checkArchitecture(join(fixtures, 'clean'), rules), []);
});

test('every fixture is checked', () => {
  assert.deepEqual(readdirSync(fixtures).sort(), [...Object.keys(breaches), 'clean'].sort());
});
