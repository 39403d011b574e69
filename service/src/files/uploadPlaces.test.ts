// Proves that wallets which hold their places with slow uploads do not keep others from uploading.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '@svc/sdk/domain';
import { createUploadPlaces, type Place, type PlaceLimits } from './uploadPlaces.ts';
import { fileLimits } from './uploads.ts';

const limits: PlaceLimits = { ...fileLimits.uploads, graceMs: 60_000 };
const walletOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`;
const honest = walletOf(999);
/** Ends what is still held, and its timers. */
const over = new AbortController();
after(() => over.abort());

function createWorld(more: Partial<PlaceLimits> = {}) {
  const places = createUploadPlaces({ ...limits, ...more });
  /** Ends when the test says so, with the reason. */
  const hang = ({ signal }: Place) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const hold = (wallet: Address, isEvidence = false) =>
    places.use(wallet, isEvidence, over.signal, hang).catch(({ code }) => code as string);
  const upload = (wallet: Address, isEvidence = false) =>
    places.use(wallet, isEvidence, over.signal, async () => 'done').catch(({ code }) => code as string);
  return { hold, upload };
}

test('beside 16 wallets with 64 slow uploads an honest wallet uploads, and so does a party of a dispute', async () => {
  const { hold, upload } = createWorld();
  const held = Array.from({ length: 64 }, (_, at) => hold(walletOf(at % 16)));
  assert.equal(await upload(honest), 'done');
  assert.equal(await upload(honest, true), 'done');
  const refused = await Promise.all(held.map((one) => Promise.race([one, sleep(0, 'held')])));
  const count = refused.filter((one) => one === 'held').length;
  assert.ok(count >= limits.inAll - limits.forEvidence - 1 && count < limits.inAll, `${count} are held`);
});

test('with one upload each, many wallets hold all but the places of evidence, and slow ones give way', async () => {
  const fast = createWorld();
  for (let at = 0; at < limits.inAll; at++) void fast.hold(walletOf(at));
  assert.equal(await fast.upload(honest), 'FILES_BUSY');
  assert.equal(await fast.upload(honest, true), 'done', 'evidence has places of its own');
  // After their grace all of these count as slow.
  const slow = createWorld({ graceMs: 0, slowBytesPerSecond: 1 });
  for (let at = 0; at < limits.inAll; at++) void slow.hold(walletOf(at));
  assert.equal(await slow.upload(honest), 'done');
});

test('a wallet has four places, and an upload that stands still ends by itself', async () => {
  const { hold, upload } = createWorld();
  for (let at = 0; at < limits.ofWallet; at++) void hold(honest);
  assert.equal(await upload(honest), 'FILES_BUSY');
  assert.equal(await createWorld({ graceMs: 10 }).hold(honest), 'REQUEST_TOO_SLOW');
});
