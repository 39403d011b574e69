// One agent of the demo: a stock MCP client, and its own `svc mcp` process with its own data folder, key and spending policy.
// All that it does goes through tools.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Address } from '@svc/sdk/domain';
import { pollUntil } from '@svc/sdk/internal/domain/backoff';
import type { Hex } from 'viem';
import { svcScript } from '../app/packageFiles.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors/operatorError.ts';

/** The reply of a tool, read field by field as a model would. */
// biome-ignore lint/suspicious/noExplicitAny: the tool's output schema checks the shape
export type Reply = any;
type Arguments = Readonly<Record<string, unknown>>;

export type Spent = { readonly calls: number; readonly tokens: number };

/** A wallet of the demo. */
export type AgentAccount = { readonly name: string; readonly address: Address; readonly privateKey: Hex };

export type DemoAgent = Awaited<ReturnType<typeof createDemoAgent>>;

/** What a model reads and writes, in tokens of about four characters. */
const charactersPerToken = 4;

const allowedActions = [
  'top-up',
  'post-task',
  'approve-tok-router',
  'claim-task',
  'create-task',
  'start-work',
  'submit-proof',
  'accept-milestone',
  'open-dispute',
  'answer-dispute',
  'submit-evidence',
  'propose-arbitrator',
  'resolve-dispute',
  'concede',
  'resolve-timed-out',
  'send-message',
  'publish-listing',
  'open-session',
];

/**
 * The spending policy of an agent (docs/policy.md): what the five tasks of the story need, and a little more. What exceeds it
 * becomes a request to the owner, whom the demo does not have.
 */
export const demoPolicy = {
  version: 1,
  mode: 'enforce',
  markets: ['micro'],
  actions: Object.fromEntries(allowedActions.map((action) => [action, {}])),
  perAction: { tok: '3000', usdc: '50' },
  perDay: { tok: '15000', usdc: '100' },
  perCounterparty: { tok: '15000', usdc: '100' },
  maxTaskTok: '1500',
};

/** What an agent gave to a tool, and the text that it got. */
export type Exchange = { readonly tool: string; readonly args: Arguments; readonly text: string };

export async function createDemoAgent(
  servers: Pick<Config, 'siteUrl' | 'gatewayUrl'>,
  account: AgentAccount,
  { script = svcScript, onCall }: { script?: string; onCall?: (exchange: Exchange) => void } = {},
) {
  const { name, address } = account;
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-agent-'));
  const [dataDir, work] = [join(folder, 'data'), join(folder, 'work')];
  mkdirSync(work);
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(demoPolicy));
  let tools = await startTools(servers, account, { folder, script });
  let calls = 0;
  let characters = 0;

  /** Throws TOOL_FAILED with the tool's message. */
  async function call(tool: string, args: Arguments, isCounted = true): Promise<Reply> {
    if (isCounted) calls++;
    const { isError, content, structuredContent } = await tools.client.callTool({
      name: tool,
      arguments: { ...args },
    });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : 'no message';
    if (isCounted) characters += JSON.stringify(args).length + text.length;
    if (isCounted) onCall?.({ tool, args, text });
    if (isError !== true) return structuredContent;
    throw failed(tool, text);
  }

  /** Waits until the request of a reply is settled; returns the task that it has created. */
  async function settle({ requestId, status }: Reply): Promise<string | null> {
    if (status === 'pending') throw failed('the wallet', 'its policy asks for the approval of an owner');
    const { taskId } = await waitFor('svc_get_request', async (attempt) => {
      // A call that only waits for the answer of an earlier one counts once.
      const request = await call('svc_get_request', { requestId }, attempt === 0);
      if (request.error !== null) throw failed('svc_get_request', request.error);
      return request.status === 'settled' ? request : undefined;
    });
    return taskId;
  }

  return {
    name,
    address,
    call: (tool: string, args: Arguments): Promise<Reply> => call(tool, args),
    /** Prepares an action, which the wallet of the tools sends. Returns the reply, and the task that was created. */
    act: async (action: string, args: Arguments): Promise<Reply> => {
      const prepared = await call('svc_prepare', { action, arguments: { ...args, from: address } });
      const isDone = prepared.status === 'settled' && !creating.includes(action);
      return isDone ? prepared : { ...prepared, taskId: await settle(prepared) };
    },
    settle,
    /** Writes a file that the tools may attach. */
    writeFile: (file: string, text: string) => writeFileSync(join(work, file), text),
    spent: (): Spent => ({ calls, tokens: Math.round(characters / charactersPerToken) }),
    /** Where the process keeps its requests and the log of its policy. */
    dataDir,
    /** The process of the tools; null after its end. */
    pid: () => tools.transport.pid,
    /** Starts the process again, on the same folder. */
    restart: async () => {
      await tools.client.close();
      tools = await startTools(servers, account, { folder, script });
    },
    close: async () => {
      await tools.client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A stock MCP client, and the `svc mcp` process that it starts. */
async function startTools(
  { siteUrl, gatewayUrl }: Pick<Config, 'siteUrl' | 'gatewayUrl'>,
  { name, privateKey }: AgentAccount,
  { folder, script }: { readonly folder: string; readonly script: string },
) {
  const client = new Client({ name: `demo ${name}`, version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, 'mcp', '--wallet', 'key', '--policy', join(folder, 'policy.json')],
    env: {
      SVC_SITE_URL: siteUrl,
      SVC_GATEWAY_URL: gatewayUrl,
      SVC_DATA_DIR: join(folder, 'data'),
      PRIVATE_KEY: privateKey,
    },
    cwd: join(folder, 'work'),
    // Its log would mix with the story on the terminal.
    stderr: 'ignore',
  });
  await client.connect(transport);
  return { client, transport };
}

/** Only the status of their request names the new task. */
const creating: readonly string[] = ['post-task', 'create-task'];

const timeoutMs = 60_000;

/** Waits until something is shown. A tool that fails is called again. */
export async function waitFor<Found>(
  what: string,
  look: (attempt: number) => Promise<Found | undefined>,
): Promise<Found> {
  let failure: unknown;
  let attempt = 0;
  const found = await pollUntil(
    () =>
      look(attempt++).catch((error: unknown) => {
        failure = error;
        return undefined;
      }),
    { everyMs: 50, timeoutMs },
  );
  if (found === undefined) throw failure ?? failed(what, 'it is not shown');
  return found;
}

function failed(tool: string, reason: string): OperatorError {
  return new OperatorError('TOOL_FAILED', { tool, reason });
}
