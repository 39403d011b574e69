// The gateway server: /v1, with the site's routes under /api on the same port.

import type { Api } from '@svc/sdk/internal/schemas/route';
import type { FastifyInstance } from 'fastify';
import { gatewayApi } from '../../contract/apis.ts';
import { paidRoutes } from '../../contract/gatewayTasks.ts';
import { createServer, type ServerOptions } from '../server.ts';
import type { SessionRoutes } from './callRoute.ts';
import { type ClaimRoutes, registerClaimRoutes } from './claim.ts';
import { type DevMailRoutes, registerDevMail } from './devMail.ts';
import { type FileRoutes, registerFileRoutes } from './files.ts';
import { type MailboxRoutes, registerMailboxRoutes } from './mailbox.ts';
import { type GatewayReads, registerGatewayReads } from './market.ts';
import { type MatchingRoutes, registerMatchingRoutes } from './matchingRoutes.ts';
import { type MessageRoutes, registerMessageRoutes } from './messages.ts';
import { type NotificationRoutes, registerNotificationRoutes } from './notifications.ts';
import { registerSignInRoutes, type SignInRoutes } from './oauthRoutes.ts';
import { type PaidReads, registerPaidReads } from './paidReads.ts';
import { createRequestRoom, type RequestRoutes, registerRequestRoutes } from './requests.ts';
import { registerSessionRoutes } from './sessions.ts';
import { registerTodoRoutes, type TodoRoutes } from './todo.ts';
import { registerToolRoutes, type ToolRoutes } from './toolRoutes.ts';

type GatewayServerOptions = ServerOptions &
  GatewayReads &
  ClaimRoutes &
  PaidReads &
  Omit<RequestRoutes, 'takeRoom'> &
  SessionRoutes &
  SignInRoutes &
  FileRoutes &
  MessageRoutes &
  MailboxRoutes &
  NotificationRoutes &
  DevMailRoutes &
  TodoRoutes &
  MatchingRoutes &
  Omit<ToolRoutes, 'takeRoom'> &
  // Pages that are served here need no other origin.
  Required<Pick<ServerOptions, 'site'>>;

export function createGatewayServer(options: GatewayServerOptions): FastifyInstance {
  const { app, registerRead } = createServer(options, describeApi(options));
  registerGatewayReads(registerRead, options);
  registerMatchingRoutes(app, registerRead, options);
  registerPaidReads(app, options);
  registerClaimRoutes(app, options);
  const takeRoom = createRequestRoom();
  registerRequestRoutes(app, { ...options, takeRoom });
  registerSessionRoutes(app, options);
  registerSignInRoutes(app, options);
  registerFileRoutes(app, options);
  registerMessageRoutes(app, options);
  registerMailboxRoutes(app, options);
  registerTodoRoutes(app, options);
  registerNotificationRoutes(app, options);
  registerDevMail(app, options);
  registerToolRoutes(app, { ...options, takeRoom });
  return app;
}

/** Paid reads are described only where they are sold. */
function describeApi({ isPaidDiscovery }: Pick<PaidReads, 'isPaidDiscovery'>): Api {
  const served = Object.entries(gatewayApi.routes).filter(
    ([name]) => isPaidDiscovery || !Object.hasOwn(paidRoutes, name),
  );
  return { ...gatewayApi, routes: Object.fromEntries(served) };
}
