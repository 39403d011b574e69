// Holds the architecture: who may import whom, no cycles, short files, browser code free of Node, one reader of the environment.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkArchitecture, type Finding, type Rules } from './architecture/check.ts';

const root = join(import.meta.dirname, '..');
const fixtures = join(import.meta.dirname, 'fixtures/architecture');

const limits = {
  maxLines: 400,
  forbiddenNames: ['index', 'utils', 'helpers', 'types', 'common'],
  environmentReader: 'service/src/config.ts',
};

const rules: Rules = {
  ...limits,
  packages: {
    contracts: { sources: 'contracts/generated', packages: [], rooms: { '': [] } },
    sdk: {
      sources: 'sdk/src',
      packages: ['contracts'],
      rooms: {
        domain: [],
        schemas: ['domain'],
        chain: ['domain', 'schemas'],
        documents: ['domain', 'schemas'],
        negotiation: ['domain', 'schemas', 'documents'],
        actions: ['domain', 'schemas', 'chain', 'documents', 'negotiation'],
        client: ['domain', 'schemas', 'chain', 'documents', 'negotiation', 'actions'],
        entry: ['*'],
      },
      isBrowserSafe: true,
      sharedNames: ['envelope.ts', 'market.ts', 'task.ts', 'terms.ts'],
    },
    service: {
      sources: 'service/src',
      packages: ['sdk', 'contracts'],
      rooms: {
        config: [],
        store: [],
        indexer: ['store'],
        market: ['store'],
        posting: ['store'],
        files: ['store'],
        payments: ['store'],
        claims: [],
        sessions: ['store'],
        requests: ['store', 'wallet'],
        relay: ['store', 'sessions'],
        webhooks: ['store', 'market'],
        chat: ['store'],
        keeper: ['store'],
        messages: ['store'],
        wallet: ['store'],
        policy: ['store', 'wallet'],
        deploy: [],
        devnet: ['store', 'deploy'],
        http: ['market', 'posting', 'payments', 'claims', 'sessions', 'requests', 'relay', 'files', 'chat'],
        mcp: ['market', 'wallet'],
        app: [
          'config',
          'store',
          'indexer',
          'market',
          'posting',
          'payments',
          'claims',
          'sessions',
          'requests',
          'relay',
          'files',
          'webhooks',
          'chat',
          'keeper',
          'wallet',
          'policy',
          'devnet',
          'http',
          'mcp',
        ],
        demo: ['app', 'config', 'policy', 'devnet', 'http'],
        cli: [
          'app',
          'demo',
          'config',
          'indexer',
          'market',
          'keeper',
          'messages',
          'wallet',
          'policy',
          'deploy',
          'devnet',
          'http',
          'mcp',
        ],
        main: ['app', 'cli'],
      },
      sharedNames: [
        'audit.ts',
        'changes.ts',
        'chat.ts',
        'claim.ts',
        'config.ts',
        'deploy.ts',
        'earlier.ts',
        'files.ts',
        'gateway.ts',
        'keeper.ts',
        'mailbox.ts',
        'market.ts',
        'messages.ts',
        'needs.ts',
        'payments.ts',
        'posting.ts',
        'receipts.ts',
        'requests.ts',
        'server.ts',
        'sessions.ts',
        'site.ts',
      ],
    },
    web: {
      sources: 'web/src',
      packages: ['sdk', 'contracts'],
      rooms: {
        style: [],
        data: [],
        components: ['data'],
        wallet: ['components', 'data'],
        frame: ['components', 'data', 'wallet'],
        pages: ['components', 'data', 'wallet', 'frame'],
      },
      isBrowserSafe: true,
    },
  },
  strangers: [['service/src/http/api', 'service/src/http/gateway']],
};

test('the tree keeps every rule', () => {
  assert.deepEqual(checkArchitecture(root, rules).map(format), []);
});

/** A small architecture of the same shape, which the fixtures keep or break. */
const fixtureRules: Rules = {
  ...limits,
  packages: {
    contracts: { sources: 'contracts/generated', packages: [], rooms: { '': [] } },
    sdk: {
      sources: 'sdk/src',
      packages: ['contracts'],
      rooms: { domain: [], chain: ['domain'], entry: ['*'] },
      isBrowserSafe: true,
      nodeOnly: ['sdk/src/chain/file.ts'],
      sharedNames: ['task.ts'],
    },
    service: {
      sources: 'service/src',
      packages: ['sdk', 'contracts'],
      rooms: {
        config: [],
        store: [],
        market: ['store'],
        http: ['market'],
        cli: ['*'],
        main: ['cli', 'config'],
      },
    },
    web: { sources: 'web/src', packages: ['sdk'], rooms: { '': [] }, isBrowserSafe: true },
  },
  strangers: [['service/src/http/api', 'service/src/http/gateway']],
};

/** What each fixture breaks: file and line of the findings that must come back. */
const breaches: Record<string, readonly string[]> = {
  'browser-reach': ['sdk/src/domain/page.ts:2'],
  'computed-import': ['sdk/src/domain/plugin.ts:3'],
  cycle: ['service/src/store/alpha.ts:2'],
  'forbidden-arrow': [
    'sdk/src/domain/dynamic.ts:3',
    'sdk/src/entry/upward.ts:2',
    'service/src/http/api/tasks.ts:2',
    'service/src/market/back.ts:2',
    'service/src/market/reexport.ts:2',
    'service/src/store/typed.ts:2',
    'web/src/page.tsx:2',
  ],
  'forbidden-name': ['service/src/market/utils.ts:1'],
  'hash-inside-room': ['sdk/src/domain/ids.ts:2'],
  'long-file': ['service/src/market/endless.ts:401'],
  missing: [
    'service/src/http/api:1',
    'service/src/http/gateway:1',
    'service/src/http:1',
    'service/src/store:1',
    'web/src:1',
  ],
  'node-in-browser': ['sdk/src/chain/calls.ts:2', 'sdk/src/domain/hash.ts:2', 'web/src/page.tsx:2'],
  'process-env': [
    'service/src/market/bracket.ts:2',
    'service/src/market/direct.ts:2',
    'service/src/market/imported.ts:2',
    'service/src/market/taken.ts:2',
  ],
  'relative-across-packages': ['service/src/market/posting.ts:2'],
  'relative-across-rooms': ['service/src/market/posting.ts:2'],
  'shared-name': ['service/src/store/list.ts:1'],
  strangers: ['service/src/http/gateway/claim.ts:2'],
  'unknown-room': ['service/src/attic/box.ts:1'],
  unresolved: ['service/src/market/closed.ts:2', 'service/src/market/lost.ts:2'],
};

for (const [rule, expected] of Object.entries(breaches)) {
  test(`a breach of ${rule} is found and named`, () => {
    const findings = checkArchitecture(join(fixtures, rule), fixtureRules);
    const found = findings.filter((finding) => finding.rule === rule);
    assert.deepEqual(found.map(({ file, line }) => `${file}:${line}`).sort(), expected);
  });
}

test('a tree that keeps every rule has no finding', () => {
  assert.deepEqual(checkArchitecture(join(fixtures, 'clean'), fixtureRules).map(format), []);
});

test('every fixture is checked', () => {
  assert.deepEqual(readdirSync(fixtures).sort(), [...Object.keys(breaches), 'clean'].sort());
});

function format({ rule, file, line, message }: Finding): string {
  return `${rule}: ${file}:${line} ${message}`;
}
