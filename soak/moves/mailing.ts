// Messages over the relay of both gateways: five pairs of traders write into the same conversations, and each follows its
// mailbox by its cursor.

import { signSession } from '#sdk/client/session.ts';
import { toCanonical } from '#sdk/domain/canonical.ts';
import {
  buildEnvelope,
  type Head,
  noHead,
  type SignedEnvelope,
  signEnvelope,
} from '#sdk/negotiation/envelope.ts';
import type { Random } from '../../test/support/replay/random.ts';
import type { Letter, Mailbox } from '../journal.ts';
import type { Person } from '../people.ts';
import type { Server } from '../server.ts';
import { done, type Outcome, type PersonalAct, refused, unanswered, type World } from '../world.ts';

const chainId = 8_453;
const pageSize = 20;

export const mail: PersonalAct = async (world, person, random) => {
  const box = await openMailbox(world, person, random.pick(world.setup.gateways));
  if ('outcome' in box) return box;
  const unsent = await sendAgain(world, person, box, random);
  if (unsent !== null) return unsent;
  for (let left = 1 + random.below(3); left > 0; left--) {
    const read = await follow(world, box, random.pick(world.setup.gateways));
    if (read !== null) return read;
    box.unsent = await write(person, partnerOf(world, person), pickTalk(box, random));
    const problem = await sendAgain(world, person, box, random);
    if (problem !== null) return problem;
  }
  return done();
};

/** A session holds at both gateways, and over their restarts. */
export async function openMailbox(world: World, person: Person, gateway: Server): Promise<Mailbox | Outcome> {
  const { mailboxes } = world.journal;
  const known = mailboxes.get(person.name);
  if (known !== undefined) return known;
  const body = await signSession(person.account, gateway.url(), { chainId });
  const opened = await world.ask(gateway, '/v1/sessions', body);
  if (opened.status !== 201) return unanswered(opened.status);
  const box: Mailbox = { token: opened.body.token, after: 0, letters: [], unsent: null };
  mailboxes.set(person.name, box);
  return box;
}

/** Takes in what is new. Null where that worked. */
export async function follow(world: World, box: Mailbox, gateway: Server): Promise<Outcome | null> {
  for (;;) {
    const page = await readPage(world, box, gateway, box.after);
    if (typeof page === 'number') return unanswered(page);
    box.letters.push(...page.letters);
    box.after = page.nextAfter;
    if (page.letters.length < pageSize) return null;
  }
}

/** The status where there is no page. */
export async function readPage({ ask }: Pick<World, 'ask'>, box: Mailbox, gateway: Server, after: number) {
  const path = `/v1/mailbox?after=${after}&limit=${pageSize}`;
  const { status, body } = await ask(gateway, path, undefined, bearer(box));
  if (status !== 200) return status;
  const letters = (body.messages as { position: number; wire: string }[]).map(
    ({ position, wire }): Letter => {
      const { envelope, hash } = JSON.parse(wire) as SignedEnvelope;
      const { negotiationId, sequence, previousHash } = envelope;
      return { position, hash, negotiationId, sequence, previousHash };
    },
  );
  return { letters, nextAfter: Number(body.nextAfter) };
}

export const bearer = ({ token }: Mailbox) => ({ authorization: `Bearer ${token}` });

function partnerOf({ people }: World, person: Person): Person {
  const at = people.traders.indexOf(person);
  return people.traders[at % 2 === 0 ? at + 1 : at - 1] as Person;
}

type Talk = { readonly negotiationId: string; readonly head: Head };

/** The end of one of the conversations in the mailbox, or a new one. */
function pickTalk({ letters }: Mailbox, random: Random): Talk {
  const ids = [...new Set(letters.map(({ negotiationId }) => negotiationId))];
  if (ids.length === 0) return { negotiationId: crypto.randomUUID(), head: noHead };
  const negotiationId = random.pick(ids);
  const last = letters.findLast((letter) => letter.negotiationId === negotiationId) as Letter;
  return { negotiationId, head: { sequence: last.sequence, hash: last.hash as Head['hash'] } };
}

function write(
  { address, account }: Person,
  to: Person,
  { negotiationId, head }: Talk,
): Promise<SignedEnvelope> {
  const text = `Message ${head.sequence + 1}. `.repeat(20);
  const payload = { text, ...(head === noHead && { to: to.address }) };
  const sender = { evmAddress: address, xmtpPublicKey: 'soak' };
  const draft = { type: 'Note', negotiationId, sender, payload };
  return signEnvelope(buildEnvelope(draft, head, new Date()), account.signTypedData);
}

/** Sends a message until a gateway answers: the same text is accepted once. Null where the way is free. */
async function sendAgain(
  world: World,
  person: Person,
  box: Mailbox,
  random: Random,
): Promise<Outcome | null> {
  const { unsent } = box;
  if (unsent === null) return null;
  const { status } = await world.ask(random.pick(world.setup.gateways), '/v1/messages', toCanonical(unsent));
  // Without an answer it may or may not be held: it is sent again with the next move.
  if (status === 0 || status >= 500) return unanswered(status);
  box.unsent = null;
  if (status === 200 || status === 202)
    world.journal.mailed.push({ hash: unsent.hash, by: person.name, to: partnerOf(world, person).name });
  // The other party, or a message that was sent again, took the place: the next one is built on the new end.
  else if (status !== 409) return refused(`a message got ${status}`);
  return null;
}
