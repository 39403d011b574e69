// GET /api/events: server-sent events of what changes, resumed by Last-Event-ID.
import { parseAddress, parseTaskId, SvcError } from '@svc/sdk/domain';
import { routes } from '@svc/sdk/internal/schemas/routes';
import type { FastifyInstance } from 'fastify';
import type { ChangeFeed } from '../../market/changeFeed.ts';
import { buildMessage, type ChangeFilter, findStart } from '../../market/changes.ts';
import { registerGet } from '../app.ts';
import { createEventStreams, formatEvent, type News } from '../eventStream.ts';
import type { Metrics } from '../metrics.ts';
import { createRateLimit, toNetwork } from '../rateLimit.ts';
import { parseQuery } from '../requestFields.ts';
import type { AppLog } from '../requestLog.ts';

type Change = Parameters<typeof buildMessage>[0];

export type EventRoutes = {
  readonly feed: ChangeFeed;
  readonly metrics: Metrics;
  readonly log: AppLog;
};

/**
 * What is sent again to those who come back, in hundreds of changes a minute: twenty times the most for a client, two hundred
 * times for all. Beyond it a stream begins with a reset; less than a hundred changes are always sent.
 */
const catchUpUnit = 100;
const catchUps = { limit: 400, total: { limit: 4_000, quiet: 40 } };

export function registerEventRoutes(app: FastifyInstance, { feed, metrics, log }: EventRoutes): void {
  const streams = createEventStreams<string>(app, log);
  const budget = createRateLimit({ name: 'catch-up', ...catchUps });
  /** Thousands of streams send the same text. */
  const texts = new WeakMap<Change, string>();
  metrics.gauge('event_streams', streams.count);
  for (const kind of ['new', 'resumed', 'reset']) metrics.counter('event_stream_starts', { kind });

  registerGet(
    app,
    routes.events.path,
    async (request, reply) => {
      const filter = parseFilter(request.query);
      const client = toNetwork(request.ip);
      streams.requireRoom(client);
      const lastEventId = readLastEventId(request.headers['last-event-id'], request.query);
      const { seq, isReset } = await findStart(feed, lastEventId, (missed) => {
        const weight = Math.floor(missed / catchUpUnit);
        return weight === 0 || budget.allows(client, weight);
      });
      const kind = lastEventId === null ? 'new' : isReset ? 'reset' : 'resumed';
      metrics.count('event_stream_starts', { kind });
      streams.open(reply, client, {
        position: seq,
        first: isReset ? formatEvent('reset', {}, seq) : '',
        load: (position) => loadNews(position, filter),
        follow: feed.listen,
      });
    },
    { isStream: true },
  );

  async function loadNews(position: number, filter: ChangeFilter): Promise<News> {
    const found = await feed.loadAfter(position);
    const text = found.map((change) => formatChange(change, filter)).join('');
    return { text, position: found.at(-1)?.seq ?? position, isMore: found.length > 0 };
  }

  /** Empty for a change that the filter leaves out. */
  function formatChange(change: Change, filter: ChangeFilter): string {
    const message = buildMessage(change, filter);
    if (message === null) return '';
    const text =
      texts.get(change) ??
      formatEvent(message.kind, message.kind === 'task' ? message.data : {}, message.seq);
    texts.set(change, text);
    return text;
  }
}

function parseFilter(query: unknown): ChangeFilter {
  const { market, address, taskId } = parseQuery(routes.events.query, query);
  const task = taskId === undefined ? undefined : parseTaskId(taskId);
  if (task !== undefined && market !== undefined && market !== task.market)
    throw new SvcError('MARKET_MISMATCH', { market: task.market });
  const { market: shown = 'standard' } = { ...task, ...(market && { market }) };
  return {
    market: shown === 'all' ? undefined : shown,
    address: address === undefined ? undefined : parseAddress(address),
    task,
  };
}

/** EventSource sends the header when it reconnects; a first connection can only use the query. */
function readLastEventId(header: string | string[] | undefined, query: unknown): number | null {
  const text = String(header ?? (query as Readonly<Record<string, unknown>>).lastEventId ?? '');
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}
