// One agent of the demo: a key, a mailbox, and the tools of the market, which it uses as any agent would.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Address } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { CreateRequest } from '@svc/sdk/schemas';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type Mailbox, openMailbox } from '#app/mailbox.ts';
import { svcScript } from '#app/packageFiles.ts';
import { type Account, type AccountName, accountOf } from '#devnet/accounts.ts';
import { createKeyWallet } from '#wallet/keyWallet.ts';
import { createRequestFile } from '#wallet/requestFile.ts';
import type { Stage } from './stage.ts';

/** What a tool answers is read field by field, as a model would. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is the tool's, checked by its output schema
export type Answer = any;

export type Player = {
  readonly name: string;
  readonly address: Address;
  readonly account: PrivateKeyAccount;
  readonly mailbox: Mailbox;
  /** Throws TOOL_FAILED with the tool's own words. */
  readonly call: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;
  /** Prepares an action by the tool, and lets the wallet send what came out. */
  readonly act: (action: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;
  readonly close: () => Promise<void>;
};

export async function createPlayer(stage: Stage, part: AccountName, mailFolder: string): Promise<Player> {
  const { name, address, privateKey }: Account = accountOf(part);
  const client = new Client({ name: `demo ${name}`, version: '1' });
  const cwd = mkdtempSync(join(tmpdir(), 'svc-demo-agent-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [svcScript, 'mcp'],
    env: { SVC_SITE_URL: stage.config.siteUrl, SVC_DATA_DIR: cwd },
    cwd,
  });
  await client.connect(transport);
  const { rpcUrls, genesisHash: chain } = stage.connection;
  const wallet = createKeyWallet({ privateKey, rpcUrls, chain, requests: createRequestFile() });
  const mailbox = openMailbox({ ...stage.config, dataDir: mailFolder }, 'local', address);

  const call: Player['call'] = async (tool, args) => {
    const { isError, content, structuredContent } = await client.callTool({
      name: tool,
      arguments: { ...args },
    });
    if (isError !== true) return structuredContent;
    const [first] = content;
    throw new SvcError('TOOL_FAILED', { tool, reason: first?.type === 'text' ? first.text : 'no words' });
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
      if (prepared.simulation.status === 'reverted')
        throw new SvcError('TOOL_FAILED', { tool: action, reason: prepared.simulation.reason });
      const answer = await wallet.submit(buildRequest(prepared));
      if (answer.status !== 'settled')
        throw new SvcError('TOOL_FAILED', { tool: action, reason: answer.error ?? answer.status });
      return prepared;
    },
    close: async () => {
      await client.close();
      await mailbox.close();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

function buildRequest({ action, from, calls, steps, chainId }: Answer): CreateRequest {
  return { kind: 'calls', action, summary: steps.at(-1).summary, chainId, from, calls, steps };
}
