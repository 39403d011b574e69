// Moves without a wallet: reads, records of posts that are never mined, wallet requests.
import { type Hex, keccak256, numberToHex } from 'viem';
import { markets } from '#sdk/domain/market.ts';
import { createdRequestSchema } from '#sdk/schemas/walletRequest.ts';
import { accounts } from '#service/devnet/accounts.ts';
import { isExcused } from '../journal.ts';
import { listReplicas } from '../setup.ts';
import { done, type PublicAct, unanswered } from '../world.ts';

export const read: PublicAct = async (world, random) => {
  const { setup, ask } = world;
  if (random.below(4) === 0) return readForward(world, random);
  const market = random.pick(markets);
  const { address } = random.pick(accounts);
  const everywhere = [
    `/api/market/open?market=${market}`,
    `/api/market/recent?market=${market}&limit=100`,
    `/api/get-market-ledger?market=${market}&address=${address}`,
    `/api/posting/quota?market=${market}&address=${address}`,
    `/api/site-config?market=${market}`,
    `/api/union/overview?market=${market}`,
    '/health',
    '/metrics',
  ];
  const onGateways = ['/v1/leaderboard/reputation', '/v1/leaderboard/verifiers', '/v1/fees', '/v1/treasury'];
  const server = random.pick([...setup.sites, ...setup.gateways, setup.small]);
  const isGateway = setup.gateways.includes(server);
  const { status } = await ask(server, random.pick(isGateway ? [...everywhere, ...onGateways] : everywhere));
  return status === 200 ? done() : unanswered(status);
};

/** What one replica has shown, another one shows as well to a client that asks for it. */
const readForward: PublicAct = async ({ setup, journal, ask }, random) => {
  const replicas = listReplicas(setup);
  const path = '/api/market/open?limit=1';
  const first = await ask(random.pick(replicas), path);
  const seen = first.headers?.get('svc-block');
  if (first.status !== 200 || seen == null) return unanswered(first.status);
  const other = random.pick(replicas);
  const { status, headers } = await ask(other, path, undefined, { 'svc-at-least-block': seen });
  if (status !== 200) return unanswered(status);
  journal.forward++;
  const shown = Number(headers?.get('svc-block'));
  if (shown < Number(seen))
    journal.measured.push({
      what: `${other.name} showed block ${shown} after ${seen} was asked for`,
      isKept: false,
    });
  return done();
};

/** More posts of a new wallet than a day allows, spread over all servers. */
const posts = 6;

export const record: PublicAct = async ({ setup, journal, ask }, random) => {
  const address = keccak256(numberToHex(random.below(2 ** 31))).slice(0, 42);
  const servers = listReplicas(setup);
  const from = journal.now();
  const replies = await Promise.all(
    Array.from({ length: posts }, (_, at) =>
      ask(
        servers[at % servers.length] as never,
        '/api/posting/record',
        unminedPost(address, keccak256(`${address}${numberToHex(at).slice(2).padStart(2, '0')}` as Hex), at),
      ),
    ),
  );
  const quota = await ask(random.pick(servers), `/api/posting/quota?address=${address}`);
  const isCalm = servers.every(({ name }) => !isExcused(journal, from, journal.now(), name));
  const to = journal.now();
  const taken = replies.filter(({ status }) => status === 200);
  // The clock may jump to another day between two posts; each day has a separate limit.
  const days = Map.groupBy(taken, ({ body }) => Number(body.resetsAt));
  for (const [day, { length }] of days) {
    const isShown = quota.status === 200 && isCalm && Number(quota.body.resetsAt) === day;
    const shown = isShown ? Number(quota.body.pending) : null;
    journal.records.push({ address, from, to, taken: length, shown });
  }
  return done(`${taken.length} taken`);
};

/** A request to a wallet for a call that does nothing. */
export function emptyRequest(from: string, data = '0x') {
  const calls = [{ to: from, value: '0x0', data }];
  return { kind: 'calls', action: 'fund-task', summary: 'Nothing', chainId: 8_453, from, calls };
}

/** The report of a post that is never mined, as a task whose number is far above all others. */
export function unminedPost(address: string, txHash: string, number = 0) {
  return { address, taskId: `v2:standard:${1_000_000 + number}`, txHash, taskAmountTok: '1' };
}

export const request: PublicAct = async ({ setup, journal, ask }, random) => {
  const from = random.pick(accounts).address;
  const created = await ask(random.pick(setup.gateways), '/v1/requests', emptyRequest(from));
  if (created.status !== 201) return unanswered(created.status);
  const { requestId: id, expiresAt = Infinity } = createdRequestSchema.parse(created.body);
  journal.requests.push({ id, at: journal.now(), expiresAt });
  const seen = await ask(random.pick(setup.gateways), `/v1/requests/${id}`);
  return seen.status === 200 ? done() : unanswered(seen.status);
};
