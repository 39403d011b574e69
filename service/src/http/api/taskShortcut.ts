// The usual spellings of one task's address, answered before the router: a look-up and a write. The router with its
// validation would cost more than the look-up. Nothing is kept ready: there are too many tasks for it, in a busy market
// no answer would stay true for longer than a block, and whoever asks gets it as fast among a million as among a few.
import { isMarket } from '@svc/sdk/domain';
import { routes } from '@svc/sdk/schemas';
import type { MarketService } from '#market/market.ts';
import type { Shortcut } from '../hot.ts';
import { marketKind, type ReadContext } from '../read.ts';
import { buildReply } from '../readyReply.ts';

/** Any other spelling, and whatever a task's id cannot be, is the router's business. */
const spelling = new RegExp(
  `^${RegExp.escape(routes.task.path)}\\?(?:id|taskId)=v2(?::|%3A)([a-z]+)(?::|%3A)([1-9][0-9]{0,14})$`,
);

export type TaskShortcutOptions = {
  readonly context: Pick<ReadContext, 'state'>;
  readonly market: Pick<MarketService, 'getTaskTogether'>;
};

/** Must answer byte for byte what the route does. */
export function createTaskShortcut({ context, market: service }: TaskShortcutOptions): Shortcut {
  return (url, onReply) => {
    const [, market, number] = spelling.exec(url) ?? [];
    if (!isMarket(market) || number === undefined || context.state() === null) return false;
    service.getTaskTogether(market, Number(number), (body) =>
      onReply(body === null ? null : buildReply(body, marketKind)),
    );
    return true;
  };
}
