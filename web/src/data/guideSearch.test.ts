// The search of the guides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSections } from './guideSearch.ts';

const sections = [
  { url: '/docs/a', guide: 'Running', section: '', text: 'A backup of the database.' },
  { url: '/docs/a#backup', guide: 'Running', section: 'Backup', text: 'Copy the files.' },
  { url: '/docs/b', guide: 'Errors', section: 'RATE_LIMITED', text: 'Wait.' },
];
const urlsOf = (typed: string) => findSections(sections, typed).map(({ url }) => url);

test('headings come before texts, every word must be there, and nothing typed finds nothing', () => {
  assert.deepEqual(urlsOf('backup'), ['/docs/a#backup', '/docs/a']);
  assert.deepEqual(urlsOf('BACKUP files'), ['/docs/a#backup']);
  assert.deepEqual(urlsOf('rate_limited'), ['/docs/b']);
  assert.deepEqual(urlsOf('backup unknown'), []);
  assert.deepEqual(urlsOf('  '), []);
});
