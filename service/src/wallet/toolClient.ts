// A connection to a wallet tool server: by its address, with OAuth where it asks for it, or by the command that starts it.
import {
  Client,
  OAuthError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { SvcError, toShown } from '@svc/sdk/domain';
import type { Authorization } from './authorization.ts';

export type ToolClient = {
  /** The tool's answer as data. Throws WALLET_REFUSED in the tool's words where it did nothing. */
  readonly call: (tool: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
};

export type ToolClientOptions = {
  /** An http(s) address, or a command with its arguments. */
  readonly server: string;
  readonly version: string;
  readonly authorization: Authorization;
};

export function isAddressOfServer(server: string): boolean {
  return /^https?:\/\//i.test(server);
}

export async function openToolClient(options: ToolClientOptions): Promise<ToolClient> {
  const { server } = options;
  const where = isAddressOfServer(server) ? new URL(server).origin : (server.split(/\s+/)[0] ?? '');
  const line = await (isAddressOfServer(server) ? openByAddress(options) : openByCommand(options)).catch(
    (error: unknown) => {
      options.authorization.cancel();
      throw explain(where, error);
    },
  );

  /** A permission that ends or is too narrow is asked for anew; whoever refused it has done nothing. */
  async function ask(name: string, args: Record<string, unknown>) {
    try {
      return await line.client.callTool({ name, arguments: args });
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || line.authorize === undefined) throw error;
      await line.authorize();
      return line.client.callTool({ name, arguments: args });
    }
  }

  return {
    call: async (name, args) => {
      const result = await ask(name, args).catch((error: unknown) => {
        throw explain(where, error);
      });
      const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
      if (result.isError) throw new SvcError('WALLET_REFUSED', { reason: toShown(text) });
      return readAnswer(result.structuredContent, text);
    },
    close: async () => {
      await line.client.close();
      options.authorization.cancel();
    },
  };
}

type Line = {
  readonly client: Client;
  /** Waits for the owner, who has been sent to the server's own page; its answer comes back to a port of this machine. */
  readonly authorize?: () => Promise<void>;
};

function createClient(version: string): Client {
  return new Client({ name: 'svc', version });
}

async function openByCommand({ server, version }: ToolClientOptions): Promise<Line> {
  const [command = '', ...args] = server.trim().split(/\s+/);
  const client = createClient(version);
  // Its words are for people; our own standard error is where they look.
  await client.connect(new StdioClientTransport({ command, args, stderr: 'inherit' }));
  return { client };
}

/** Its owner is asked once at most: a server that is not content with that would make us ask for ever. */
async function openByAddress(options: ToolClientOptions, isAsked = false): Promise<Line> {
  const { server, version, authorization } = options;
  const transport = new StreamableHTTPClientTransport(new URL(server), {
    authProvider: authorization.provider,
    fetch: authorization.fetch,
  });
  const client = createClient(version);
  const authorize = () => authorization.finish((answer) => transport.finishAuth(answer));
  try {
    await client.connect(transport);
    return { client, authorize };
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || isAsked) throw error;
    await authorize();
    await client.close();
    return openByAddress(options, true);
  }
}

/** Older servers answer JSON in a text. */
function readAnswer(structured: unknown, text: string): Record<string, unknown> {
  const value = structured ?? parseJson(text);
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  // No refusal: whoever answers in other words may have done what it was asked for.
  throw new SvcError('WALLET_ANSWER_UNCLEAR', { reason: `"${toShown(text)}"` });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Who is not allowed to ask has not been heard; of everything else nobody knows what it has led to. */
function explain(where: string, error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  if (error instanceof UnauthorizedError)
    return new SvcError('WALLET_REFUSED', { reason: 'it does not accept the permission it gave' }, error);
  const reason = toShown(error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  if (error instanceof OAuthError) return new SvcError('WALLET_REFUSED', { reason }, error);
  return new SvcError('WALLET_UNREACHABLE', { where, reason }, error);
}
