// One agent of the demo: a key, a mailbox, and its own `svc mcp` process, whose tools it uses as any agent would.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Address, pollUntil, SvcError } from '@svc/sdk/domain';
import type { CreateRequest } from '@svc/sdk/schemas';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Connection } from '#app/connect.ts';
import { svcScript } from '#app/packageFiles.ts';
import type { Config } from '#config.ts';
import { type AccountName, accountOf } from '#devnet/accounts.ts';
import { createKeyWallet } from '#wallet/keyWallet.ts';
import { createRequestFile } from '#wallet/requestFile.ts';
import { type Mailbox, openMailbox } from './negotiation.ts';

/** The reply of a tool, read field by field as a model would. */
// biome-ignore lint/suspicious/noExplicitAny: the tool's output schema checks the shape
export type Reply = any;

export type DemoAgent = {
  readonly name: string;
  readonly address: Address;
  readonly account: PrivateKeyAccount;
  readonly mailbox: Mailbox;
  /** Throws TOOL_FAILED with the tool's message. */
  readonly call: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Reply>;
  /** Prepares an action with the tool, and sends the calls with the agent's key. */
  readonly act: (action: string, args: Readonly<Record<string, unknown>>) => Promise<Reply>;
  readonly close: () => Promise<void>;
};

export async function createDemoAgent(
  config: Config,
  { rpcUrls, genesisHash: chain }: Connection,
  accountName: AccountName,
  mailFolder: string,
): Promise<DemoAgent> {
  const { name, address, privateKey } = accountOf(accountName);
  const client = new Client({ name: `demo ${name}`, version: '1' });
  const cwd = mkdtempSync(join(tmpdir(), 'svc-demo-agent-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [svcScript, 'mcp'],
    env: { SVC_SITE_URL: config.siteUrl, SVC_DATA_DIR: cwd },
    cwd,
  });
  await client.connect(transport);
  const wallet = createKeyWallet({ privateKey, rpcUrls, chain, requests: createRequestFile() });
  const mailbox = openMailbox({ ...config, dataDir: mailFolder }, 'local', address);

  const call: DemoAgent['call'] = async (tool, args) => {
    const { isError, content, structuredContent } = await client.callTool({
      name: tool,
      arguments: { ...args },
    });
    if (isError !== true) return structuredContent;
    const [first] = content;
    throw failed(tool, first?.type === 'text' ? first.text : 'no message');
  };

  return {
    name,
    address,
    account: privateKeyToAccount(privateKey),
    mailbox,
    call,
    act: async (action, args) => {
      const prepared = await call('svc_prepare', {
        action,
        arguments: { ...args, from: address },
        wallet: 'none',
      });
      if (prepared.simulation.status === 'reverted') throw failed(action, prepared.simulation.reason);
      const answer = await wallet.submit(buildRequest(prepared));
      if (answer.status !== 'settled') throw failed(action, answer.error ?? answer.status);
      return prepared;
    },
    close: async () => {
      await client.close();
      await mailbox.close();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

function buildRequest({ action, from, calls, steps, chainId }: Reply): CreateRequest {
  return { kind: 'calls', action, summary: steps.at(-1).summary, chainId, from, calls, steps };
}

const timeoutMs = 60_000;

/** Waits until the site shows what is already on the chain. A tool that fails is called again. */
export async function waitFor<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  let failure: unknown;
  const found = await pollUntil(
    () =>
      look().catch((error: unknown) => {
        failure = error;
        return undefined;
      }),
    { everyMs: 50, timeoutMs },
  );
  if (found === undefined) throw failure ?? failed(what, 'the site does not show it');
  return found;
}

function failed(tool: string, reason: string): SvcError {
  return new SvcError('TOOL_FAILED', { tool, reason });
}
