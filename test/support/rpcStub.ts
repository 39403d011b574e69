// A JSON-RPC server with configurable replies, for tests of the RPC pool.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

export type StubCall = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

export type StubRequest = {
  readonly calls: readonly StubCall[];
  readonly isBatch: boolean;
  readonly headers: IncomingHttpHeaders;
};

export type RpcStub = {
  readonly url: string;
  readonly requests: readonly StubRequest[];
  readonly methods: () => string[];
  /** What it answers from now on; true when it took care of the request, else the usual answer is given. */
  readonly behave: (behaviour: (request: StubRequest, response: ServerResponse) => boolean) => void;
  readonly close: () => void;
};

export const stubChain = { chainId: 8_453, genesisHash: `0x${'ab'.repeat(32)}` } as const;

/** `results` are the answers by method; a chain id and a genesis block are among them. */
export async function startRpcStub(results: Readonly<Record<string, unknown>> = {}): Promise<RpcStub> {
  const usual: Record<string, unknown> = {
    eth_chainId: '0x2105',
    eth_getBlockByNumber: buildStubBlock(0, stubChain.genesisHash),
    ...results,
  };
  const requests: StubRequest[] = [];
  let behaviour: Parameters<RpcStub['behave']>[0] = () => false;
  const server = createServer(async (incoming, response) => {
    const body = JSON.parse(await text(incoming));
    const calls: StubCall[] = Array.isArray(body) ? body : [body];
    const request = { calls, isBatch: Array.isArray(body), headers: incoming.headers };
    requests.push(request);
    if (behaviour(request, response)) return;
    const answers = calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: usual[method] }));
    // A batch may be answered in any order.
    sendJson(response, request.isBatch ? answers.reverse() : answers[0]);
  });
  return {
    ...(await listen(server)),
    requests,
    methods: () => requests.flatMap(({ calls }) => calls.map(({ method }) => method)),
    behave: (next) => {
      behaviour = next;
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
}

export function buildStubBlock(number: number, hash: string) {
  return {
    number: `0x${number.toString(16)}`,
    hash,
    timestamp: '0x5',
    parentHash: `0x${'00'.repeat(32)}`,
    logsBloom: `0x${'00'.repeat(256)}`,
  };
}
