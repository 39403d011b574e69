// A wallet that takes part in a market, for bots: actions that end when they are done, files, and the tasks it should look at.
import { taskRegistryAbi } from '@svc/contracts/abi';
import { type Account, createWalletClient, http, type LocalAccount } from 'viem';
import { readContract } from 'viem/actions';
import type { Address } from '../domain/address.ts';
import { formatUsdc, maxOf } from '../domain/amount.ts';
import { SvcError } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import type { Artifact } from '../schemas/documents.ts';
import { createMemoryJournal, type Journal } from '../send/journal.ts';
import { createKeyWallet } from '../send/keyWallet.ts';
import type { Wallet } from '../send/wallet.ts';
import { createActions } from './createActions.ts';
import { createMarketClient, type MarketClient } from './createMarketClient.ts';
import { createFileClient } from './fileClient.ts';
import { createMailboxClient, type MailboxClient } from './mailboxClient.ts';
import { type MarketActions, type WriteActions, writeNames } from './marketActions.ts';
import { createMatching, type Matching } from './matching.ts';
import { createParticipantMessages, type Messages } from './participantMessages.ts';
import { readCollateral } from './readCollateral.ts';
import type { Outcome } from './runAction.ts';
import { type BotRole, type Handler, type RunOptions, runBot } from './runBot.ts';
import { hashFile } from './sealFile.ts';

/** Where the market is, and who takes part. */
export type JoinOptions = {
  /** The address of a gateway, such as http://localhost:4020. */
  readonly url: string;
  /** Signs: `privateKeyToAccount(key)` of viem, or any other local account. */
  readonly account: Account;
  /** Default: the RPC that the market names. */
  readonly rpcUrl?: string;
  /**
   * Where it is written what was signed, before it is sent: with one that outlives the process, a bot that was killed sends
   * nothing twice. In memory unless given.
   */
  readonly journal?: Journal;
};

/** Every action that changes something. Ends when the chain has mined it and the API shows it; throws where it would revert. */
export type Acts = WriteActions<Promise<Outcome>>;

/** A file that is about to be uploaded. */
export type NewFile = {
  readonly name: string;
  readonly mediaType: string;
  readonly content: string | Uint8Array;
};

/** A wallet that takes part in a market. */
export type Participant = {
  /** The wallet. */
  readonly address: Address;
  /** Reads and events of the API. */
  readonly client: MarketClient;
  /** Every action step by step: `prepare`, `simulate`, `send` and `wait`. */
  readonly actions: MarketActions;
  /** The mailbox of this wallet as the gateway has it. */
  readonly mailbox: MailboxClient;
  /** `do.claimTask({ taskId })` prepares, tries, signs and sends an action, and waits until the API shows it. */
  readonly do: Acts;
  /** Deposits the collateral that a post or a claim needs, where it is missing. */
  readonly depositCollateral: (market?: Market) => Promise<void>;
  /** Uploads a file of an open task, for `artifacts` of a delivery or of evidence. Anyone may read it. */
  readonly attach: (taskId: string, file: NewFile) => Promise<Artifact>;
  /** The bytes of a file: exactly those whose hash its document names, or HASH_MISMATCH. */
  readonly open: (file: Artifact) => Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Calls the handler with each task of the role: those that exist now, then each one that changes, one at a time. The handler
   * looks at the state and does the next thing, so a bot that is restarted continues. Ends when the signal aborts.
   */
  readonly run: (role: BotRole, handler: Handler, options?: RunOptions) => Promise<void>;
  /** Conversations with other wallets: read, offer, accept, decline, write, deliver. */
  readonly messages: Messages;
  /** Listings and proposals: list work, propose, sign, choose. */
  readonly matching: Matching;
  /** Closes the session at the gateway, if one is open. */
  readonly close: () => Promise<void>;
};

/**
 * Lets a program take part in a market with one wallet.
 *
 * @example
 * const me = await joinMarket({ url: 'http://localhost:4020', account: privateKeyToAccount(key) });
 * await me.run('worker', async (task) => {
 *   if (task.state === 'POSTED') await me.do.claimTask({ taskId: task.id });
 * });
 */
export async function joinMarket(options: JoinOptions): Promise<Participant> {
  const { url, account, rpcUrl, journal = createMemoryJournal() } = options;
  // Never repeated in the message: a text may be a private key.
  if (typeof account !== 'object' || account === null)
    throw new SvcError('USAGE', {
      reason: 'joinMarket needs an account of viem, such as privateKeyToAccount(key), not a text.',
    });
  const { address } = account;
  const client = createMarketClient({ baseUrl: url });
  const config = await client.siteConfig();
  const chainUrl = rpcUrl ?? config.rpcUrl;
  const wallet = createWalletClient({ account, transport: http(chainUrl) });
  const actions = createActions(client, { rpcUrl: chainUrl });
  const mailbox = createMailboxClient({ baseUrl: url, wallet, chainId: config.chainId });

  const attach = async (taskId: string, { name, mediaType, content }: NewFile): Promise<Artifact> => {
    const bytes = Uint8Array.from(typeof content === 'string' ? new TextEncoder().encode(content) : content);
    const files = createFileClient({ baseUrl: url, token: await mailbox.token() });
    const { uri } = await files.upload(bytes, { for: taskId });
    return { name, mediaType, bytes: bytes.length, sha256: hashFile(bytes), uri };
  };

  const sending = createKeyWallet(account as LocalAccount, http(chainUrl), journal.notes);
  const acts = createActs(actions, sending, journal);
  const depositCollateral = async (market: Market = 'standard'): Promise<void> => {
    const { deposit, figures } = await readCollateral(actions, address, market);
    const { balance, locked, canEngage } = deposit;
    const wanted = maxOf(figures.recommendedUsdc, locked + figures.bondUsdc);
    if (!canEngage) await acts.topUp({ market, amountUsdc: formatUsdc(wanted - balance) });
  };

  const talks = createParticipantMessages({
    account: account as never,
    client,
    actions,
    mailbox,
    chainId: config.chainId,
    approve: acts.approveTokRouter,
    isRevoked: (registry, digest) =>
      readContract(wallet, {
        address: registry,
        abi: taskRegistryAbi,
        functionName: 'isRevoked',
        args: [address, digest],
      }),
  });

  return {
    address,
    client,
    actions,
    mailbox,
    do: acts,
    depositCollateral,
    attach,
    open: ({ sha256, bytes }) => createFileClient({ baseUrl: url }).download(sha256, { maxBytes: bytes }),
    run: (role, handler, how = {}) => runBot(client, address, role, handler, how),
    messages: talks.messages,
    matching: createMatching({
      url,
      account: account as never,
      client,
      mailbox,
      chainId: config.chainId,
      talks,
      revoke: acts.revokeTerms,
    }),
    close: () => mailbox.close(),
  };
}

function createActs(actions: MarketActions, wallet: Wallet, journal: Journal): Acts {
  const act = async (name: keyof Acts, args: never) => {
    const run = await actions[name](args).start(wallet, { journal });
    return (await run.done) as Outcome;
  };
  const entries = writeNames.map((name) => [name, (args: never) => act(name, args)] as const);
  return Object.fromEntries(entries) as unknown as Acts;
}
