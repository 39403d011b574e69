// The tools of an agent over the relay of a gateway.
import assert from 'node:assert/strict';
import type { PrivateKeyAccount } from 'viem/accounts';
import { createActionReads } from '#sdk/actions/reads.ts';
import { contractsOfBoth } from '#sdk/chain/contracts.ts';
import { createRpc } from '#sdk/chain/rpc.ts';
import { createDigestReader } from '#sdk/chain/signatures.ts';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import type { CreateRequest } from '#sdk/schemas/walletRequest.ts';
import { fileTools } from '#service/mcp/fileTools.ts';
import { mailTools } from '#service/mcp/mailTools.ts';
import { marketTools } from '#service/mcp/marketTools.ts';
import { createToolMail } from '#service/mcp/toolMail.ts';
import { inMemory } from '#service/store/localFiles.ts';
import { createGatewaySessions } from '#service/wallet/gatewaySessions.ts';
import { createPaperFile } from '#service/wallet/paperFile.ts';
import type { WalletAnswer } from '#service/wallet/walletInterface.ts';
import type { TestGateway } from '../support/gateway.ts';

/** The tools of an agent whose wallet approves everything. */
export function openTools(gateway: TestGateway, account: PrivateKeyAccount) {
  const answers = new Map<string, WalletAnswer>();
  const asked: string[] = [];
  const wallet = {
    submit: async (request: CreateRequest) => {
      assert.ok(request.kind === 'signature');
      asked.push(request.summary);
      const signature = await account.signTypedData(request.typedData as never);
      const requestId = crypto.randomUUID();
      const answer = { requestId, approvalUrl: null, transactionHashes: [], error: null };
      answers.set(requestId, { ...answer, status: 'settled', signature });
      return { ...answer, status: 'pending', signature: null } as const;
    },
    readStatus: async (requestId: string) => answers.get(requestId) as WalletAnswer,
  };
  const rpc = createRpc({ urls: [gateway.devnet.rpcUrl] });
  const verify = createDigestReader(rpc);
  const { chainId } = gateway.devnet.deployment;
  const contracts = contractsOfBoth(gateway.devnet.deployment);
  const needs = { gatewayUrl: gateway.url(), readChainId: async () => chainId, wallet, verify };
  const now = async () => Math.floor(Date.now() / 1_000);
  const sessions = createGatewaySessions({ ...needs, now });
  const context = {
    mail: createToolMail({ ...needs, sessions }),
    papers: createPaperFile(inMemory),
    now,
    connectPrepare: async () => ({ chainId, contracts, reads: createActionReads(rpc, contracts) }),
    market: createMarketClient({ baseUrl: gateway.url() }),
    files: { gatewayUrl: gateway.url() },
    readOwnAddress: async () => account.address,
  };
  const call = async (name: string, args: object) => {
    const tool = [...mailTools, ...fileTools, ...marketTools].find((one) => one.name === name);
    const input = tool?.input.parse(args);
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is the test's business
    const answer: any = await tool?.run(input as never, context as never, new AbortController().signal);
    return tool?.output.parse(answer) && answer;
  };
  return {
    call,
    /** What its owner read of each request. */
    asked,
    papers: context.papers,
    inbox: async (root?: string) => {
      await call('svc_inbox', { address: account.address });
      return (await call('svc_inbox', { address: account.address, root })).conversations;
    },
    /** Goes on until the message is sent. */
    send: async (args: object) => {
      const from = account.address;
      let answer = await call('svc_send_message', { from, ...args });
      while (!answer.sent) {
        const { requestId } = answer;
        const isSession = /session/.test(answer.next);
        answer = await call('svc_send_message', isSession ? { from, ...args } : { from, requestId });
      }
      return answer;
    },
  };
}
