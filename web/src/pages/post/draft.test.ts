// A draft becomes a task only if the contracts would accept it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTaskDocument } from '@svc/sdk/documents';
import { parseTok } from '@svc/sdk/domain';
import { type Draft, describeErrors, emptyDraft, parseDraft, toLocalText } from './draft.ts';
import { templates } from './templates.ts';

const now = 1_800_000_000;
const good: Draft = { ...emptyDraft, title: 'Birds', criteria: 'Ten names.', milestones: ['100'] };
const errorsOf = (change: Partial<Draft>, market: 'standard' | 'micro' = 'standard') =>
  Object.keys(parseDraft({ ...good, ...change }, market, now).errors);

test('a single amount is posted without a list of milestones and funded in full', () => {
  const { post } = parseDraft({ ...good, tags: ' a, b ,, ' }, 'standard', now);
  const { args } = post ?? {};
  assert.equal(args?.totalAmountTokWei, String(parseTok('100')));
  assert.deepEqual(args?.milestones, []);
  assert.equal(args?.fundNowTokWei, String(parseTok('100')));
  assert.equal(post?.deadline, now + 7 * 86_400);
  assert.deepEqual(args?.tags, ['a', 'b']);
  const words = { title: 'Birds', description: '', criteria: 'Ten names.', tags: ['a', 'b'] };
  assert.equal(post?.criteriaHash, buildTaskDocument(words).hash);
});

test('several milestones add up exactly, and each has a text, which the hash covers', () => {
  const several = { ...good, milestones: ['60.000000000000000001', '40'], milestoneTexts: [' A draft '] };
  const { post } = parseDraft(several, 'standard', now);
  assert.equal(post?.args.totalAmountTokWei, String(parseTok('100.000000000000000001')));
  const [first, second] = several.milestones.map((tok) => ({ amountTokWei: String(parseTok(tok)) }));
  assert.deepEqual(post?.args.milestones, [{ ...first, description: 'A draft' }, second]);
  const words = { title: 'Birds', description: '', criteria: 'Ten names.', tags: [] };
  assert.equal(post?.criteriaHash, buildTaskDocument({ ...words, milestones: ['A draft', ''] }).hash);
});

test('an amount that is wrong is to be corrected, one that is missing to be filled in', () => {
  const describe = (change: Partial<Draft>) =>
    describeErrors({ ...good, ...change }, parseDraft({ ...good, ...change }, 'standard', now).errors);
  assert.equal(describe({ milestones: ['1,000'] }), 'To correct: Reward.');
  assert.equal(describe({ milestones: [''], title: '' }), 'Still to fill in: Title, Reward.');
  assert.equal(describe({ days: '0', title: '' }), 'To correct: Due. Still to fill in: Title.');
});

test('a chosen date counts instead of the days, and one that is over is reported', () => {
  const due = toLocalText(now + 3 * 86_400);
  const { post } = parseDraft({ ...good, due }, 'standard', now);
  // The field knows minutes only.
  assert.equal(post?.deadline, Math.floor((now + 3 * 86_400) / 60) * 60);
  for (const over of [toLocalText(now - 60), '2026-13-40T00:00', 'soon'])
    assert.deepEqual(errorsOf({ due: over }), ['days'], over);
});

test('files are part of what the hash covers', () => {
  const artifact = { name: 'brief.pdf', mediaType: 'application/pdf', bytes: 3, sha256: 'ab'.repeat(32) };
  const { post } = parseDraft(good, 'standard', now, [artifact]);
  const words = { title: 'Birds', description: '', criteria: 'Ten names.', tags: [], artifacts: [artifact] };
  assert.equal(post?.criteriaHash, buildTaskDocument(words).hash);
  assert.deepEqual(post?.args.artifacts, [artifact]);
});

test('the words are counted in the bytes that they take on chain, also beyond those that fit', () => {
  const bytesOf = (change: Partial<Draft>) => parseDraft({ ...good, ...change }, 'standard', now).bytes;
  const words = { title: 'Birds', description: '', criteria: 'Ten names.', tags: [] };
  assert.equal(bytesOf({}), buildTaskDocument(words).bytes.length);
  assert.equal(bytesOf({ description: 'é' }), bytesOf({ description: 'ab' }));
  assert.equal(bytesOf({ description: 'x'.repeat(9_000) }), (bytesOf({}) ?? 0) + 9_000);
});

test('every template leaves only a few fields to fill in', () => {
  for (const { name, draft } of templates) {
    const missing = errorsOf({ ...emptyDraft, ...draft });
    assert.ok(
      missing.every((field) => ['title', 'description', 'milestones'].includes(field)),
      `${name}: ${missing}`,
    );
  }
});

test('the hints of a template are no words of a task', () => {
  const [template = assert.fail()] = templates;
  const started = { ...emptyDraft, ...template.draft, milestones: ['100'] };
  assert.deepEqual(errorsOf(started), ['title', 'description']);
  assert.deepEqual(errorsOf({ ...started, title: 'Fix: the date', description: 'It is a day late.' }), []);
  assert.deepEqual(errorsOf({ title: 'Translate … from … to …' }), ['title']);
});

test('what the contracts would refuse is reported at its field', () => {
  assert.deepEqual(errorsOf({ title: ' ' }), ['title']);
  assert.deepEqual(errorsOf({ criteria: '' }), ['criteria']);
  for (const amount of ['', '1e3', '-5', '1,000', '0x10', '99.999'])
    assert.deepEqual(errorsOf({ milestones: [amount] }), ['milestones'], amount);
  assert.deepEqual(errorsOf({ milestones: ['200', '9.99'] }), ['milestones']);
  assert.deepEqual(errorsOf({ milestones: ['5'] }, 'micro'), []);
  for (const days of ['0', '365', 'soon', '']) assert.deepEqual(errorsOf({ days }), ['days'], days);
  assert.deepEqual(errorsOf({ reviewHours: '11' }), ['reviewHours']);
  assert.deepEqual(errorsOf({ reviewHours: '169' }, 'micro'), ['reviewHours']);
  assert.deepEqual(errorsOf({ description: 'x'.repeat(9_000) }), ['description']);
});
