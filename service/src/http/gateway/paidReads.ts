// /v1/paid: the market's reads behind a payment for each request (docs/specification.md section 5, paid discovery).

import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import type { FastifyInstance } from 'fastify';
import { gatewayRoutes } from '../../contract/apis.ts';
import type { MarketService } from '../../market/taskLists.ts';
import { jsonType } from '../body.ts';
import { linkNext, type ReadRoute } from '../reads.ts';
import { parseUrl } from '../requestFields.ts';
import { parseGatewayTaskId } from './market.ts';
import { createPaywall, hasPayment, type PaywallOptions, type Product, refuse } from './x402Paywall.ts';

export type PaidReads = PaywallOptions & {
  readonly market: MarketService;
  readonly isPaidDiscovery: boolean;
};

export function registerPaidReads(app: FastifyInstance, options: PaidReads): void {
  const { market, isPaidDiscovery } = options;
  if (!isPaidDiscovery) return;
  const paywall = createPaywall(options);

  register(gatewayRoutes.paidOpen, 'Claimable tasks', ({ query }) => market.listOpen(query));
  register(gatewayRoutes.paidRecent, 'Recent tasks', ({ query }) => market.listRecent(query));
  register(gatewayRoutes.paidTask, 'One task', ({ query, params }) =>
    market.getTask(parseGatewayTaskId(params.id, query)),
  );

  function register<R extends ReadRoute>(
    route: R,
    description: string,
    load: (url: ReturnType<typeof parseUrl<R>>) => Promise<object>,
  ) {
    const product: Product = { description, discovery: { method: 'GET' } };
    app.get(route.path, async (request, reply) => {
      try {
        if (!hasPayment(request)) throw refuse('this read is paid for by x402');
        // Read first: nobody pays for a mistake or for nothing.
        const build = () => load(parseUrl(route, request)).then((loaded) => () => loaded);
        const body = await paywall.charge(request, reply, { product, purpose: `read ${request.url}`, build });
        linkNext(request, reply, route, JSON.parse(body));
        return reply.type(jsonType).send(body);
      } catch (error) {
        if (!isErrorOf(error, 'PAYMENT_REQUIRED')) throw error;
        return paywall.challenge(request, reply, { product, error });
      }
    });
  }
}
