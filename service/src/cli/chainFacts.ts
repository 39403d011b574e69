// What the chain says about negotiations: its clock, which signatures the contracts accept, which tasks exist, what their
// arbitrators still lack, and the disputes that wait for the wallet's own ruling.

import type { MarketClient } from '@svc/sdk';
import { readAcceptedSignature } from '@svc/sdk/chain';
import { type Address, formatTaskId, markets, parseTaskId, SvcError, type Task } from '@svc/sdk/domain';
import { readTaskNow } from '@svc/sdk/internal/chain/readTasks';
import { latestBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import { isOffer, senderOf } from '@svc/sdk/internal/negotiation/envelope';
import { findTaskOf } from '@svc/sdk/internal/negotiation/negotiation';
import { findMarketMistake, type Registries } from '@svc/sdk/internal/rules/terms';
import { taskIdSchema } from '@svc/sdk/internal/schemas/primitives';
import {
  type ChainFacts,
  type Payload,
  readNegotiation,
  type SignedEnvelope,
  type Transcript,
} from '@svc/sdk/negotiation';
import type { Hex } from 'viem';
import { type Connection, connect, createSiteClient } from '../app/connect.ts';
import type { Config } from '../config.ts';
import { findOwed, type Owed } from '../mcp/privateWork.ts';

export type ChainView = {
  /** The chain's clock, else that of this machine. */
  readonly now: Date;
  /** Undefined where the chain could not be asked, or is not the one of the terms. */
  readonly factsOf: (transcript: Transcript) => ChainFacts | undefined;
  /** Of the market that the terms should be for; undefined where neither site nor chain answered. */
  readonly registries: Registries | undefined;
  /** Private disputes whose judge lacks what the wallet has. */
  readonly owedToJudge: readonly Owed[];
  /**
   * Disputes in which the wallet itself must rule, the most urgent one first. After `until`, in Unix seconds, anyone may escalate, and
   * the arbitrator loses a part of its bond.
   */
  readonly rulingsDue: readonly { readonly taskId: string; readonly until: number }[];
};

export type ChainViewer = ReturnType<typeof createChainViewer>;

/** While nothing has changed, a chain is asked again after this time only. */
const freshMs = 10_000;
/** Anybody can name tasks; the last ones are looked up. */
const maxNamedTasks = 5;

/** `own` is the wallet whose debts to judges, and whose rulings, are looked up. */
export function createChainViewer(config: Config, own?: Address) {
  let connection: Promise<Connection> | undefined;
  let last = { key: '', at: Number.NEGATIVE_INFINITY, view: withoutChain() };

  /** Never throws for a chain that is away: without it, nothing counts as agreed. */
  async function view(transcripts: readonly Transcript[]): Promise<ChainView> {
    const key = transcripts
      .map(({ entries, aside }) => [...entries, ...aside].map(({ hash }) => hash))
      .join();
    const asked = performance.now();
    if (key === last.key && asked - last.at < freshMs) return last.view;
    const isNeeded =
      own !== undefined ||
      transcripts.some(({ entries }) => entries.some(({ envelope }) => isOffer(envelope.type)));
    last = { key, at: asked, view: isNeeded ? await ask(transcripts) : withoutChain() };
    return last.view;
  }

  async function ask(transcripts: readonly Transcript[]): Promise<ChainView> {
    connection ??= connect(config);
    try {
      const chain = await connection;
      const { time } = await chain.rpc.ask(latestBlock());
      const facts = new Map<Hex, ChainFacts>();
      for (const transcript of transcripts) {
        const found = await readFacts(chain, transcript);
        if (found !== undefined) facts.set(transcript.root, found);
      }
      const site = createSiteClient(chain.siteUrl);
      const [owedToJudge, rulingsDue] =
        own === undefined
          ? [[], []]
          : await Promise.all([findOwed(site, own, async () => transcripts), findRulings(site, own)]);
      return {
        now: new Date(time * 1_000),
        factsOf: ({ root }) => facts.get(root),
        registries: chain,
        owedToJudge,
        rulingsDue,
      };
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      close();
      return withoutChain();
    }
  }

  function close(): void {
    connection?.then((open) => open.close()).catch(() => undefined);
    connection = undefined;
  }

  return { view, close };
}

function withoutChain(): ChainView {
  return {
    now: new Date(),
    factsOf: () => undefined,
    registries: undefined,
    owedToJudge: [],
    rulingsDue: [],
  };
}

async function findRulings(site: Pick<MarketClient, 'concerns'>, own: Address) {
  const pages = await Promise.all(
    markets.map((market) => site.concerns(own, { market, role: 'arbitrator' }).catch(() => null)),
  );
  return pages
    .flatMap((page) => page?.concerns ?? [])
    .flatMap(({ taskId, turn, until }) => (turn === 'mine' ? [{ taskId, until: until ?? 0 }] : []))
    .sort((left, right) => left.until - right.until);
}

async function readFacts(chain: Connection, transcript: Transcript): Promise<ChainFacts | undefined> {
  const { offer, namedTasks } = readNegotiation(transcript);
  if (offer === null) return undefined;
  if (findMarketMistake(offer.terms, chain) !== null) return undefined;
  const refused = new Set<Hex>();
  const acceptances = [...transcript.entries, ...transcript.aside].filter(
    ({ envelope }) => envelope.type === 'TaskAcceptance',
  );
  for (const acceptance of acceptances)
    if (!(await isAccepted(chain, acceptance))) refused.add(acceptance.hash);
  const tasks = await readNamed(chain, namedTasks);
  const task = findTaskOf(transcript, tasks);
  return { refused, taskId: task && formatTaskId(task) };
}

async function isAccepted({ rpc }: Connection, signed: SignedEnvelope): Promise<boolean> {
  const { settlementDigest, signature } = signed.envelope.payload as Payload<'TaskAcceptance'>;
  try {
    const question = [senderOf(signed), settlementDigest, signature] as const;
    return (await readAcceptedSignature(rpc, ...question)) !== null;
  } catch (error) {
    if (isErrorOf(error, 'WALLET_NOT_DEPLOYED')) return false;
    throw error;
  }
}

async function readNamed({ rpc, contracts }: Connection, named: readonly string[]): Promise<Task[]> {
  const keys = named.filter((id) => taskIdSchema.safeParse(id).success).map(parseTaskId);
  const tasks = keys.slice(-maxNamedTasks).map(({ market, number }) => {
    const place = { marketLens: contracts[market].marketLens, markets: contracts };
    return readTaskNow(rpc, place, market, number);
  });
  return (await Promise.all(tasks)).filter((task) => task !== null);
}
