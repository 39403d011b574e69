// The usual spellings of one task's address, answered before the router: a look-up and a write. There are too many
// tasks to keep the answers of all ready, and the router with its validation would cost more than the look-up.
import { isMarket } from '#domain/market.ts';
import { routes } from '#schemas/routes.ts';
import type { MarketService } from '#service/market.ts';
import type { Shortcut } from '../hot.ts';
import { marketKind, type ReadContext } from '../read.ts';
import { buildReply } from '../readyReply.ts';

/** Any other spelling, and whatever a task's id cannot be, is the router's business. */
const spelling = new RegExp(
  `^${RegExp.escape(routes.task.path)}\\?(?:id|taskId)=v2(?::|%3A)([a-z]+)(?::|%3A)([1-9][0-9]{0,14})$`,
);

export type TaskShortcutOptions = {
  readonly context: Pick<ReadContext, 'ready' | 'state' | 'version'>;
  readonly market: Pick<MarketService, 'getTask'>;
};

/** Must answer byte for byte what the route does. */
export function createTaskShortcut({ context, market: service }: TaskShortcutOptions): Shortcut {
  const { ready, state, version } = context;
  return (url) => {
    const [, market, number] = spelling.exec(url) ?? [];
    if (!isMarket(market) || number === undefined || state() === null) return null;
    // Taken before the row is read: bytes may be newer than their version, but never older.
    const source = { market, version: version(market) };
    return service.getTask({ market, number: BigInt(number) }).then((body) => {
      const reply = buildReply(body, marketKind);
      ready.save(url, reply, source);
      return reply;
    });
  };
}
