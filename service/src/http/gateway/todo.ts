// GET /v1/todo: what waits for the wallet of the session.
import { isSameAddress, SvcError } from '@svc/sdk/domain';
import type { FastifyInstance } from 'fastify';
import { gatewayRoutes } from '../../contract/apis.ts';
import type { TodoService } from '../../todo/todoService.ts';
import { createRateLimit } from '../rateLimit.ts';
import { linkNext, type ReadContext } from '../reads.ts';
import { createServeCall, type SessionRoutes } from './callRoute.ts';

export type TodoRoutes = SessionRoutes & {
  readonly todo: Pick<TodoService, 'list'>;
  readonly context: Pick<ReadContext, 'state'>;
};

const { todo: route } = gatewayRoutes;
/** Of one client. A page asks for three lists every twenty seconds. */
const perMinute = 120;

export function registerTodoRoutes(app: FastifyInstance, { sessions, todo, context }: TodoRoutes): void {
  const serve = createServeCall(app, sessions);
  serve(
    route,
    async ({ wallet, query: { address, ...query }, request, reply }) => {
      if (address !== undefined && !isSameAddress(address, wallet)) throw new SvcError('TODO_OF_ANOTHER', {});
      if (context.state() === null) throw new SvcError('NOT_READY', {});
      const page = await todo.list(wallet, query);
      linkNext(request, reply, route, page);
      return page;
    },
    createRateLimit({ name: 'todo', limit: perMinute }),
  );
}
