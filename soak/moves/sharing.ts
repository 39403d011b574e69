// Files at both gateways, whose folder lies on the small disk: uploads of a trader, and downloads of what others uploaded.
import { hash } from 'node:crypto';
import { done, type PersonalAct, refused, unanswered } from '../world.ts';
import { bearer, openMailbox } from './mailing.ts';

const largest = 60_000;

export const share: PersonalAct = async (world, person, random) => {
  const { setup, journal, ask } = world;
  const box = await openMailbox(world, person, random.pick(setup.gateways));
  if ('outcome' in box) return box;
  const content = new Uint8Array(1 + random.below(largest)).fill(random.below(256));
  new DataView(content.buffer).setUint8(0, random.below(256));
  const sha256 = hash('sha256', content);
  const sent = await ask(random.pick(setup.gateways), `/v1/files/${sha256}`, content, bearer(box));
  if (sent.status !== 200 && sent.status !== 201) return unanswered(sent.status);
  journal.files.add(sha256);
  const wanted = random.pick([...journal.files]);
  const found = await ask(random.pick(setup.gateways), `/v1/files/${wanted}`);
  if (found.status !== 200) return unanswered(found.status);
  if (hash('sha256', found.bytes) === wanted) return done();
  journal.wrongFiles.push(`${wanted}: ${found.bytes.length} bytes with another hash`);
  return refused('other bytes');
};
