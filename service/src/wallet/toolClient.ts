// A connection to a wallet tool server: over HTTP, with OAuth where the server asks for it, or to a process that is started.

import {
  Client,
  OAuthError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { SvcError } from '@svc/sdk/domain';
import { toShown } from '@svc/sdk/internal/domain/text';
import { OperatorError } from '../errors/operatorError.ts';
import type { Authorization } from './authorization.ts';

export type ToolClient = Awaited<ReturnType<typeof openToolClient>>;

type ToolClientOptions = {
  /** An http(s) address, or a command with its arguments. */
  readonly server: string;
  readonly version: string;
  readonly authorization: Authorization;
};

export function isAddressOfServer(server: string): boolean {
  return /^https?:\/\//i.test(server);
}

export async function openToolClient(options: ToolClientOptions) {
  const { server } = options;
  const where = isAddressOfServer(server) ? new URL(server).origin : (server.split(/\s+/)[0] ?? '');
  const session = await (isAddressOfServer(server) ? connectByUrl(options) : connectByCommand(options)).catch(
    (error: unknown) => {
      options.authorization.cancel();
      throw explain(where, error);
    },
  );

  /** Asks the owner again where the permission has ended or is too narrow. A server that refuses it has done nothing. */
  async function ask(name: string, args: Record<string, unknown>) {
    try {
      return await session.client.callTool({ name, arguments: args });
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || session.authorize === undefined) throw error;
      await session.authorize();
      return session.client.callTool({ name, arguments: args });
    }
  }

  return {
    /** The tool's answer as data. Throws WALLET_REFUSED with the tool's words where it did nothing. */
    call: async (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const result = await ask(name, args).catch((error: unknown) => {
        throw explain(where, error);
      });
      const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
      if (result.isError) throw new OperatorError('WALLET_REFUSED', { reason: toShown(text) });
      return parseAnswer(result.structuredContent, text);
    },
    close: async (): Promise<void> => {
      await session.client.close();
      options.authorization.cancel();
    },
  };
}

type Session = {
  readonly client: Client;
  /** Waits for the owner, who has been sent to the server's page. */
  readonly authorize?: () => Promise<void>;
};

async function connectByCommand({ server, version }: ToolClientOptions): Promise<Session> {
  const [command = '', ...args] = server.trim().split(/\s+/);
  const client = new Client({ name: 'svc', version });
  await client.connect(new StdioClientTransport({ command, args, stderr: 'inherit' }));
  return { client };
}

/** The owner is asked once at most; otherwise a server that never accepts would be asked for ever. */
async function connectByUrl(options: ToolClientOptions, isAsked = false): Promise<Session> {
  const { server, version, authorization } = options;
  const transport = new StreamableHTTPClientTransport(new URL(server), {
    authProvider: authorization.provider,
    fetch: authorization.fetch,
  });
  const client = new Client({ name: 'svc', version });
  const authorize = () => authorization.finish((answer) => transport.finishAuth(answer));
  try {
    await client.connect(transport);
    return { client, authorize };
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || isAsked) throw error;
    await authorize();
    await client.close();
    return connectByUrl(options, true);
  }
}

/** Older servers return JSON as text. */
function parseAnswer(structured: unknown, text: string): Record<string, unknown> {
  const value = structured ?? parseJson(text);
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  // Not a refusal: the server may have done what it was asked for.
  throw new OperatorError('WALLET_ANSWER_UNCLEAR', { reason: `"${toShown(text)}"` });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Only a refusal for lack of permission proves that nothing was done. */
function explain(where: string, error: unknown): SvcError | OperatorError {
  if (error instanceof SvcError) return error;
  if (error instanceof UnauthorizedError)
    return new OperatorError(
      'WALLET_REFUSED',
      { reason: 'it does not accept the permission it gave' },
      error,
    );
  const reason = toShown(error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  if (error instanceof OAuthError) return new OperatorError('WALLET_REFUSED', { reason }, error);
  return new OperatorError('WALLET_UNREACHABLE', { where, reason }, error);
}
