// Partners for a visitor of the embedded market, so that one browser sees work paid: two workers that propose, deliver and ask
// for payment, and a poster that chooses and pays. Their names and words say that they are a demonstration.
import {
  createProfileClient,
  joinMarket,
  type Listing,
  type ListingDocument,
  type Participant,
  type ProfileDocument,
} from '@svc/sdk/client';
import { type Address, formatTok, isTerminal, type Market, parseTok } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { sleep } from '@svc/sdk/internal/domain/backoff';
import { privateKeyToAccount } from 'viem/accounts';
import { type AccountName, accountOf, accounts } from '../devnet/accounts.ts';

type PartnerOptions = {
  readonly gatewayUrl: string;
  readonly rpcUrl: string;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Between two looks; default 3 seconds. */
  readonly pauseMs?: number;
};

const day = 86_400;
const market: Market = 'standard';
const mark = 'Demo';
const note = 'It plays along in this test market. It is a program, not a person.';

type Worker = {
  readonly name: AccountName;
  readonly shown: string;
  readonly share: bigint;
  readonly isBinding: boolean;
};

/** The first signs at once; the second waits to be chosen. Shares are of the highest price, in percent. */
const workers: readonly Worker[] = [
  { name: 'linguist', shown: `${mark} worker Lena`, share: 90n, isBinding: true },
  { name: 'painter', shown: `${mark} worker Paul`, share: 100n, isBinding: false },
];
const posterName: AccountName = 'press';

const seeded = new Set(accounts.map(({ address }) => addressKey(address)));
/** Only with visitors: the seeded wallets have their own stories. */
const isVisitor = (wallet: string) => !seeded.has(addressKey(wallet as Address));

/** Runs until the signal aborts. */
export async function runDemoPartners(options: PartnerOptions): Promise<void> {
  const { signal, onError, pauseMs = 3_000 } = options;
  const parts = await Promise.all([
    ...workers.map(async (worker) => createWorker(await join(options, worker.name, worker.shown), worker)),
    createPoster(await join(options, posterName, `${mark} poster Harbour Press`)),
  ]);
  while (!signal.aborted) {
    for (const look of parts)
      await look().catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
    await sleep(pauseMs, signal);
  }
}

async function join(
  { gatewayUrl, rpcUrl }: PartnerOptions,
  name: AccountName,
  shown: string,
): Promise<Participant> {
  const account = privateKeyToAccount(accountOf(name).privateKey);
  const me = await joinMarket({ url: gatewayUrl, account, rpcUrl });
  await me.depositCollateral(market);
  const { chainId } = await me.client.siteConfig();
  const profiles = createProfileClient({ baseUrl: gatewayUrl });
  const known = (await profiles.get(account.address)).profile;
  if (known?.document == null) await profiles.publish(account, describe(shown), { chainId });
  return me;
}

function describe(name: string): ProfileDocument {
  return {
    schema: 'svc-profile-v1',
    name,
    headline: note,
    about: '',
    kind: 'agent',
    skills: ['demonstration'],
    languages: ['en'],
    links: [],
    services: [],
  };
}

/** How long others may claim an open task of a visitor before a demo worker does. */
const claimAfterSeconds = 45;

function createWorker(me: Participant, { share, isBinding }: Worker) {
  async function propose(): Promise<void> {
    const { listings } = await me.matching.find({ market, limit: 50 });
    for (const listing of listings.filter(({ poster }) => isVisitor(poster))) {
      const [known] = await me.matching.proposals(listing);
      if (known === undefined) await sendProposal(listing);
      else if (known.state === 'chosen') await me.matching.sign(known);
    }
  }

  async function sendProposal(listing: Listing): Promise<void> {
    if (listing.document === null) return;
    const { minTokWei, maxTokWei } = listing.document.budget;
    const wanted = (BigInt(maxTokWei) * share) / 100n;
    const totalAmountTok = formatTok(wanted > BigInt(minTokWei) ? wanted : BigInt(minTokWei));
    const rationale = `(${mark}) I can begin at once. ${note}`;
    await me.matching.propose(listing, { totalAmountTok, days: 2, rationale, isBinding });
  }

  /** Open tasks of visitors that nobody else takes. */
  async function claim(): Promise<void> {
    if (!isBinding) return;
    const { tasks } = await me.client.recent({ market, state: 'POSTED', limit: 20 });
    const { updatedAt: now } = await me.client.union({ market });
    for (const { id, poster, createdAt, deadline } of tasks)
      if (isVisitor(poster) && createdAt + claimAfterSeconds < now && deadline > now)
        await me.do.claimTask({ taskId: id });
  }

  async function deliver(): Promise<void> {
    for (const { id, state, poster } of await listOwn(me, 'worker')) {
      if (state !== 'ACTIVE' || !isVisitor(poster)) continue;
      await me.do.submitProof({
        taskId: id,
        note: `(${mark}) Here is the work: imagine that it meets every criterion. Please look at it and pay. ${note}`,
      });
    }
  }

  return async () => {
    await propose();
    await claim();
    await deliver();
  };
}

/** The tasks that wait for it. */
async function listOwn(me: Participant, role: 'poster' | 'worker') {
  const { concerns } = await me.client.concerns(me.address, { market, role, limit: 20 });
  const own = concerns.filter(({ turn }) => turn === 'mine');
  return Promise.all(own.map(async ({ taskId }) => (await me.client.task(taskId)).task));
}

const wantedTitle = `(${mark}) Write three lines about a lighthouse`;

function createPoster(me: Participant) {
  async function findOwn(): Promise<Listing | undefined> {
    const { listings } = await me.matching.find({ poster: me.address, limit: 10 });
    return listings.find(({ document }) => document?.task.title === wantedTitle);
  }

  async function buildListing(): Promise<ListingDocument> {
    const { updatedAt: now } = await me.client.union({ market });
    return {
      schema: 'svc-listing-v1',
      market,
      task: {
        schema: 'svc-task-v1',
        title: wantedTitle,
        description: `Propose a price and days, sign when you are chosen, deliver any text, and be paid. ${note}`,
        criteria: '- [ ] Three lines of text.',
        milestones: [],
        tags: ['demonstration', 'writing'],
      },
      budget: { minTokWei: String(parseTok('1500')), maxTokWei: String(parseTok('3000')) },
      milestoneBps: [],
      deadline: now + 60 * day,
      reviewPeriod: 3 * day,
    };
  }

  async function choose(): Promise<void> {
    const listing = await findOwn();
    if (listing === undefined) {
      await me.matching.list(await buildListing());
      return;
    }
    if (listing.proposals === 'none') return;
    for (const proposal of await me.matching.proposals(listing)) {
      const { state, comparison, worker } = proposal;
      if (!isVisitor(worker)) continue;
      if (state === 'open' && (!comparison.isPlain || comparison.isAboveBudget))
        await me.matching.decline(
          proposal,
          `(${mark}) Please keep to the words and the budget of the listing.`,
        );
      else if (state === 'open')
        await me.matching.choose(proposal, `(${mark}) I choose you. Please sign your proposal.`);
      else if (state === 'binding' && comparison.isPlain && !comparison.isAboveBudget) {
        await me.do.createTask(me.matching.toTask(proposal));
        return;
      }
    }
  }

  async function pay(): Promise<void> {
    for (const { id, state, worker, title } of await listOwn(me, 'poster')) {
      if (worker === undefined || !isVisitor(worker) || isTerminal(state) || title !== wantedTitle) continue;
      if (state === 'CLAIMED') await me.do.startWork({ taskId: id });
      if (state === 'DELIVERED') await me.do.acceptMilestone({ taskId: id });
    }
  }

  return async () => {
    await choose();
    await pay();
  };
}
