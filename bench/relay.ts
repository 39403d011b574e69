// The relay: messages that are accepted with all checks, mailboxes read by their cursor, and many open streams.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { buildEnvelope, formatWire, type Head, noHead, signEnvelope } from '#sdk/negotiation/envelope.ts';
import { type Contender, compareRounds, describeRounds, startContenders, type Work } from './alternate.ts';
import type { Figure } from './figure.ts';
import { readResidentMegabytes } from './processes.ts';
import type { Setup } from './setup.ts';

const rounds = 4;
/** Not counted: lets the compiler optimise. */
const warmUpRounds = 16;
const perTalk = 5;
const pageSize = 20;

/** The messages of one conversation, in their order. */
export type Talk = readonly string[];
type Pair = readonly [PrivateKeyAccount, PrivateKeyAccount];

export async function measureRelay({ folder, sizes }: Setup): Promise<Figure[]> {
  const pairs = createPairs((warmUpRounds + rounds) * sizes.talks);
  const talks = await Promise.all(pairs.map(writeTalk));
  const servers = await startContenders('relayProcess', (kind) => folder(`relay-${kind}`));
  const lists = Array.from({ length: warmUpRounds + rounds }, (_, at) =>
    talks.slice(at * sizes.talks, (at + 1) * sizes.talks),
  );
  const send: Work<Talk> = ({ url }, talk) => sendTalk(url, talk);
  const read: Work<number> = async ({ url }, at) => {
    const [{ address }] = pairs[at % pairs.length] as Pair;
    const headers = { authorization: `Bearer ${address}` };
    const response = await fetch(`${url}/v1/mailbox?after=0&limit=${pageSize}`, { headers });
    if (response.status !== 200) throw new Error(`a mailbox got ${response.status}`);
    await response.arrayBuffer();
  };
  try {
    await compareRounds(servers, lists.slice(0, warmUpRounds), send, 4);
    const written = await compareRounds(servers, lists.slice(warmUpRounds), send, 4);
    const reads = Array.from({ length: rounds }, () => Array.from({ length: sizes.pages }, (_, at) => at));
    const pages = await compareRounds(servers, reads, read, 4);
    return [
      ...describeRounds(
        'relay: messages accepted with all checks',
        'a bare server with one INSERT',
        written,
        perTalk,
      ),
      ...describeRounds(
        `relay: pages of ${perTalk} messages by cursor`,
        'a bare server that keeps the page',
        pages,
      ),
      ...(await measureStreams(servers.svc, servers.bare, sizes.streams)),
    ];
  } finally {
    await servers.close();
  }
}

function createPairs(length: number): Pair[] {
  const createWallet = () => privateKeyToAccount(generatePrivateKey());
  return Array.from({ length }, (): Pair => [createWallet(), createWallet()]);
}

export function writeTalks(count: number): Promise<Talk[]> {
  return Promise.all(createPairs(count).map(writeTalk));
}

export async function sendTalk(url: string, talk: Talk): Promise<void> {
  // Each conversation from another network: one caller may send twenty messages a second.
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': randomBytes(4).join('.') };
  for (const body of talk) {
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body });
    if (response.status !== 202) throw new Error(`a message got ${response.status}`);
    await response.arrayBuffer();
  }
}

async function writeTalk(pair: Pair): Promise<Talk> {
  const negotiationId = crypto.randomUUID();
  const wires: string[] = [];
  let head: Head = noHead;
  for (let at = 0; at < perTalk; at++) {
    const by = pair[at % 2] as PrivateKeyAccount;
    const payload = { text: 'A question. '.repeat(20), ...(at === 0 && { to: pair[1].address }) };
    const sender = { evmAddress: by.address, xmtpPublicKey: 'bench' };
    const draft = { type: 'Note', negotiationId, sender, payload };
    const signed = await signEnvelope(buildEnvelope(draft, head, new Date()), by.signTypedData);
    head = { sequence: at + 1, hash: signed.hash };
    wires.push(formatWire(signed));
  }
  return wires;
}

async function measureStreams(svc: Contender, bare: Contender, count: number): Promise<Figure[]> {
  const [ours, theirs] = [await openStreams(svc, count), await openStreams(bare, count)];
  const name = `relay: ${count.toLocaleString('en')} open mailbox streams`;
  return [
    { name: `${name}, memory of the process`, value: ours.megabytes, unit: 'megabytes' },
    { name: `${name}, memory each`, value: ours.kilobytesEach, unit: 'kilobytes' },
    { name: `${name}, memory each of a bare server`, value: theirs.kilobytesEach, unit: 'kilobytes' },
  ];
}

async function openStreams({ url, pid }: Contender, count: number) {
  const before = readResidentMegabytes(pid);
  const streams = await Promise.all(Array.from({ length: count }, (_, at) => openStream(url, at)));
  const megabytes = readResidentMegabytes(pid);
  for (const close of streams) close();
  return { megabytes, kilobytesEach: ((megabytes - before) * 1_024) / count };
}

/** For a separate wallet each time. */
function openStream(url: string, at: number): Promise<() => void> {
  const headers = { authorization: `Bearer 0x${(at + 1).toString(16).padStart(40, '0')}` };
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/v1/mailbox/events`, { headers, agent: false }, (response) => {
      response.resume();
      resolve(() => asked.destroy());
    });
    asked.on('error', reject).end();
  });
}
