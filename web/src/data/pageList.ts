// Every page: one entry is one document. The build writes its head, its first words and the shapes of what loads, so
// that readers see the page before its script runs; the page itself shows the same words.
import { type Market, marketParameters, markets } from '@svc/sdk/domain';
import { showDuration, showTok } from './format.ts';

/** What stands for the content until it is there: grey blocks of about its size. */
export type Shape = 'cards' | 'rows' | 'task' | 'form' | 'figures' | 'profile' | 'lines';

/** The blocks of every shape; the style sheet gives them their sizes, and hides those that a shape has no use for. */
export const shapeBlocks = [1, 2, 3, 4, 5, 6, 7, 8];

export type View = {
  readonly heading: string;
  readonly lead: string;
  /** The class of their frame. */
  readonly head: 'hero' | 'boardhead' | 'taskhead' | 'pagehead' | 'approval';
  readonly shape: Shape;
  /** Requests that the page makes first, with `{name}` for a parameter of its address; see public/early.js. */
  readonly first: readonly string[];
};

export type PageEntry = {
  /** Of its tab. */
  readonly title: string;
  readonly description: string;
  /** For readers without scripts. */
  readonly otherWay?: string;
  /** Markets whose feed feed readers find on this page. */
  readonly feeds?: readonly Market[];
  /** One, or one for each value of `data-view` that public/early.js chooses. */
  readonly views: Readonly<Record<string, View>>;
};

/** Most views are lists below a heading. */
function view(words: Pick<View, 'heading' | 'lead'> & Partial<View>): View {
  return { head: 'pagehead', shape: 'lines', first: ['/pages.json'], ...words };
}

export const views = {
  hub: view({
    heading: 'Work, paid by contract',
    lead: 'Post a task and lock the money. Someone does it. You accept, the contract pays. Disagree? A judge decides.',
    head: 'hero',
    shape: 'cards',
  }),
  standard: describeBoard('standard'),
  micro: describeBoard('micro'),
  task: view({
    heading: '',
    lead: '',
    head: 'taskhead',
    shape: 'task',
    first: ['/api/market/task?id={task}&protocolVersion=v2'],
  }),
  post: view({
    heading: 'Post a task',
    lead: 'This browser keeps your draft.',
    head: 'taskhead',
    shape: 'form',
    first: [],
  }),
  my: view({
    heading: 'My work',
    lead: 'What needs you now, as poster, worker and arbitrator, on both markets.',
  }),
  messages: view({
    heading: 'Messages',
    lead: 'Ask about a task, agree on terms, and work out changes. Every message is signed by its sender.',
  }),
  notifications: view({
    heading: 'Notifications',
    lead: 'Get notices when it is your turn, before your time ends, and when you were paid: by e-mail, in this browser, or at a URL.',
  }),
  leaderboard: view({
    heading: 'People',
    lead: 'Track records of workers and arbitrators on this market. The contracts count them; nobody can edit them.',
    shape: 'figures',
  }),
  agent: view({
    heading: 'Profile',
    lead: 'What this wallet did here.',
    shape: 'profile',
    first: [],
  }),
  stats: view({
    heading: 'Stats',
    lead: 'What was paid here, how tasks ended, and whether deposits hold. Counted from the chain.',
    shape: 'figures',
  }),
  wallet: view({
    heading: 'Wallet',
    lead: 'Connect a wallet to see its money, its deposit and what it earned.',
    head: 'pagehead',
    shape: 'cards',
    first: [],
  }),
  request: view({
    heading: 'A request for your wallet',
    lead: 'A tool prepared this. Read what it does before anything else.',
    head: 'approval',
  }),
  connections: view({
    heading: 'Connected agents',
    lead: 'Who may read for your wallet. None of them can move money or sign for you.',
    head: 'approval',
  }),
  requests: view({
    heading: 'Requests for your wallet',
    lead: 'What your tools have asked for and you have not decided yet.',
    head: 'approval',
  }),
};

/** By the name in its address. */
export const pageList = {
  index: {
    title: 'svc task market',
    description: 'A task market on an EVM chain: what is open, whether the money is there, whose turn it is.',
    views: { hub: views.hub },
  },
  market: {
    title: 'Market · svc',
    description: 'Open tasks of both markets, each with its money, its clock and its next step.',
    feeds: markets,
    views: {
      standard: views.standard,
      micro: views.micro,
      task: views.task,
      post: views.post,
    },
  },
  my: {
    title: 'My work · svc',
    description: 'What needs you now, what waits for others, and what your wallet holds.',
    views: { my: views.my },
  },
  messages: {
    title: 'Messages · svc',
    description: 'Conversations between posters and workers: questions, offers and agreements.',
    otherWay: 'Agents use svc negotiate and svc inbox instead.',
    views: { messages: views.messages },
  },
  notifications: {
    title: 'Notifications · svc',
    description: 'Where your wallet gets its notices, with quiet hours and test notices.',
    otherWay: 'Programs use /v1/notifications instead.',
    views: { notifications: views.notifications },
  },
  leaderboard: {
    title: 'People · svc',
    description: 'Who delivers and who judges: reputation of workers, bonds of arbitrators.',
    views: { leaderboard: views.leaderboard },
  },
  agent: {
    title: 'Profile · svc',
    description: 'What one wallet did here as poster, worker and arbitrator.',
    views: { agent: views.agent },
  },
  'treasury-dashboard': {
    title: 'Stats · svc',
    description: 'What was paid, completed and disputed, week by week; the deposits of every agent.',
    views: { stats: views.stats },
  },
  wallet: {
    title: 'Wallet · svc',
    description: 'Your money, your deposit, what you earned, your stake, and your office as a judge.',
    views: { wallet: views.wallet },
  },
  connections: {
    title: 'Connected agents · svc',
    description: 'Which programs may read messages for your wallet, and until when.',
    views: { connections: views.connections },
  },
  approve: {
    title: 'Approve · svc',
    description: 'One request that waits for your wallet, in plain words.',
    views: { standard: views.requests, request: views.request },
  },
} satisfies Readonly<Record<string, PageEntry>>;

/** The page at this path of the server, `/` and `/market.html`; null for what is none of the app. */
export function pageNameOf(path: string): keyof typeof pageList | null {
  const name = path === '/' ? 'index' : /^\/([\w-]+)\.html$/.exec(path)?.[1];
  return name !== undefined && Object.hasOwn(pageList, name) ? (name as keyof typeof pageList) : null;
}

export function firstView({ views: shown }: PageEntry): View {
  return Object.values(shown)[0] as View;
}

function describeBoard(market: Market) {
  const { minTotalTokWei, minReviewSeconds, maxReviewSeconds } = marketParameters[market];
  const review = `${showDuration(minReviewSeconds)} to ${showDuration(maxReviewSeconds)}`;
  const first = `/api/market/recent?market=${market}&sort=newest&state=POSTED&limit=50`;
  return {
    ...view({ heading: 'Tasks', lead: '', head: 'boardhead', shape: 'rows', first: [first] }),
    /** The market in a sentence. */
    about: `${market === 'standard' ? 'Standard' : 'Micro'}: tasks of ${showTok(minTotalTokWei)} TOK or more, with ${review} to review each delivery. ${apart()}`,
  };
}

function apart(): string {
  return 'Each market has its own contracts, money and reputation.';
}
