// One agent of the demo: a stock MCP client and its own `svc mcp` process with its own data folder. All it does goes through
// tools. Its owner is apart from it: a key that approves what the tools ask for, as a person would on the approval page.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Address, pollUntil, SvcError } from '@svc/sdk/domain';
import { walletRequestSchema } from '@svc/sdk/schemas';
import type { Connection } from '#app/connect.ts';
import { svcScript } from '#app/packageFiles.ts';
import type { Config } from '#config.ts';
import type { Account } from '#devnet/accounts.ts';
import { createKeyWallet } from '#wallet/keyWallet.ts';
import { createRequestFile } from '#wallet/requestFile.ts';
import type { Wallet } from '#wallet/wallet.ts';

/** The reply of a tool, read field by field as a model would. */
// biome-ignore lint/suspicious/noExplicitAny: the tool's output schema checks the shape
export type Reply = any;
type Arguments = Readonly<Record<string, unknown>>;

export type Spent = { readonly calls: number; readonly tokens: number };

export type DemoAgent = {
  readonly name: string;
  readonly address: Address;
  /** Throws TOOL_FAILED with the tool's message. */
  readonly call: (tool: string, args: Arguments) => Promise<Reply>;
  /** Calls a tool until its owner has approved everything that it asks for. */
  readonly callApproved: (tool: string, args: Arguments) => Promise<Reply>;
  /** Prepares an action; its owner approves it. Returns the reply of svc_prepare, and the task that it has created. */
  readonly act: (action: string, args: Arguments) => Promise<Reply>;
  /** Claims a task through the gateway; its owner approves the payment and the claim. */
  readonly claimPaid: (taskId: string) => Promise<Reply>;
  /** Sends a message in a conversation, or to a wallet. */
  readonly send: (message: Arguments) => Promise<Reply>;
  /** Writes a file that the tools may attach. */
  readonly writeFile: (name: string, text: string) => void;
  /** A call that only waits for the answer of an earlier one counts once. */
  readonly spent: () => Spent;
  readonly close: () => Promise<void>;
};

/** What a model reads and writes: about four characters for each token. */
const charactersPerToken = 4;

export async function createDemoAgent(
  { siteUrl, gatewayUrl }: Config,
  { rpcUrls, genesisHash: chain }: Connection,
  { name, address, privateKey }: Account,
): Promise<DemoAgent> {
  const client = new Client({ name: `demo ${name}`, version: '1' });
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-agent-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [svcScript, 'mcp'],
    env: { SVC_SITE_URL: siteUrl, SVC_GATEWAY_URL: gatewayUrl, SVC_DATA_DIR: folder },
    cwd: folder,
  });
  await client.connect(transport);
  const owner = createKeyWallet({ privateKey, rpcUrls, chain, requests: createRequestFile() });
  let calls = 0;
  let characters = 0;

  async function ask(tool: string, args: Arguments, isCounted: boolean): Promise<Reply> {
    const { isError, content, structuredContent } = await client.callTool({
      name: tool,
      arguments: { ...args },
    });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : 'no message';
    if (isCounted) {
      calls++;
      characters += JSON.stringify(args).length + text.length;
    }
    if (isError !== true) return structuredContent;
    throw failed(tool, text);
  }

  const call: DemoAgent['call'] = (tool, args) => ask(tool, args, true);

  /** The owner approves; returns the task that was created, if one was. */
  async function settle(reply: Reply): Promise<string | null> {
    const requestId = findRequest(reply);
    await approve(gatewayUrl, owner, requestId);
    const { taskId } = await waitFor('svc_get_request', async (attempt) => {
      const request = await ask('svc_get_request', { requestId }, attempt === 0);
      if (request.error !== null) throw failed('svc_get_request', request.error);
      return request.status === 'settled' ? request : undefined;
    });
    return taskId;
  }

  return {
    name,
    address,
    call,
    callApproved: async (tool, args) => {
      const first = await call(tool, args);
      if (findRequest(first) === null) return first;
      await approve(gatewayUrl, owner, findRequest(first));
      return waitFor(tool, async (attempt) => {
        const reply = await ask(tool, args, attempt === 0);
        return findRequest(reply) === null ? reply : undefined;
      });
    },
    act: async (action, args) => {
      const prepared = await call('svc_prepare', { action, arguments: { ...args, from: address } });
      return { ...prepared, taskId: await settle(prepared) };
    },
    claimPaid: async (taskId) => {
      const priced = await call('svc_claim_paid', { from: address, taskId });
      await approve(gatewayUrl, owner, findRequest(priced));
      const { requestId } = priced.request;
      const claim = priced.paid ? priced : await call('svc_claim_paid', { from: address, requestId });
      await settle(claim);
      return claim;
    },
    send: async (message) => {
      let answer = await call('svc_send_message', { from: address, ...message });
      while (!answer.sent) {
        const { requestId } = answer.request;
        await approve(gatewayUrl, owner, requestId);
        answer = await call('svc_send_message', { from: address, requestId });
      }
      return answer;
    },
    writeFile: (file, text) => writeFileSync(join(folder, file), text),
    spent: () => ({ calls, tokens: Math.round(characters / charactersPerToken) }),
    close: async () => {
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tools name a request beside their answer, or are one. */
function findRequest({ requestId, request }: Reply): string | null {
  return requestId ?? request?.requestId ?? null;
}

/** What the page of the gateway does for a person: signs or sends, and reports it. */
async function approve(
  gatewayUrl: string,
  wallet: Pick<Wallet, 'submit'>,
  requestId: string | null,
): Promise<void> {
  const url = `${gatewayUrl}/v1/requests/${requestId}`;
  const { request, status } = walletRequestSchema.parse(await (await fetch(url)).json());
  if (status !== 'pending') return;
  const { transactionHashes, signature, error } = await wallet.submit(request);
  if (error !== null) throw failed(request.action, error);
  const result =
    request.kind === 'calls' ? { status: 'submitted', transactionHashes } : { status: 'signed', signature };
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/result`, { method: 'POST', headers, body: JSON.stringify(result) });
  if (!reply.ok) throw failed(request.action, `the gateway answers ${reply.status}`);
}

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

function failed(tool: string, reason: string): SvcError {
  return new SvcError('TOOL_FAILED', { tool, reason });
}
