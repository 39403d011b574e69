// What a tool is, what tools work with, and the arguments and schemas that they share.

import type { MarketClient } from '@svc/sdk';
import type { MarketAccess } from '@svc/sdk/actions';
import type { MarketContracts, Rpc } from '@svc/sdk/chain';
import type { CreateRequest } from '@svc/sdk/client';
import type { Artifact } from '@svc/sdk/documents';
import { type Address, isSameAddress, type Market, markets, parseAddress } from '@svc/sdk/domain';
import { toShown } from '@svc/sdk/internal/domain/text';
import { addressSchema, taskIdSchema } from '@svc/sdk/internal/schemas/primitives';
import * as z from 'zod';
import type { SignIn } from '../wallet/gatewaySessions.ts';
import type { PaperFile } from '../wallet/paperFile.ts';
import type { Submit, Wallet } from '../wallet/walletInterface.ts';
import { type JsonSchema, publishInput } from './publishedSchema.ts';
import type { ToolMail } from './toolMail.ts';

export type MarketReads = Pick<
  MarketClient,
  'open' | 'recent' | 'task' | 'concerns' | 'timeline' | 'posterTasks' | 'workerTasks'
>;

export type ToolContext = {
  readonly market: MarketReads;
  readonly connectChain: () => Promise<{
    readonly rpc: Rpc;
    readonly contracts: Readonly<Record<Market, MarketContracts>>;
  }>;
  /** Finds the market, for the actions. */
  readonly connectPrepare: () => Promise<MarketAccess>;
  /** The wallet that the operator has chosen. Requests for other wallets go to their owners. */
  readonly wallet: Pick<Wallet, 'submit' | 'readStatus'> & {
    /** Why the wallet that gets these requests would not sign them on its own; empty where it would, or has no policy. */
    readonly tryPolicy: (requests: readonly CreateRequest[]) => Promise<readonly string[]>;
    /** `Wallet.inTurn` of the wallet that gets the requests of this sender. */
    readonly inTurn: <Result>(from: unknown, work: (submit: Submit) => Promise<Result>) => Promise<Result>;
  };
  /** Asks the owner of the wallet on the page of the gateway. */
  readonly ownerWallet: Pick<Wallet, 'submit'>;
  /** The address that the operator's wallet signs with; null where every request goes to an owner. */
  readonly readOwnAddress: () => Promise<Address | null>;
  /** Whether the policy of that wallet only says what it would sign. */
  readonly isDryRun: boolean;
  readonly mail: ToolMail;
  /** Documents of private tasks that these tools made. */
  readonly papers: PaperFile;
  /** The task that these transactions have posted or created. */
  readonly findPostedTask: (transactionHashes: readonly string[]) => Promise<string | null>;
  /** Waits, a few seconds at most, until reads of the market show these mined transactions. */
  readonly awaitShown: (transactionHashes: readonly string[]) => Promise<void>;
  /** Unix seconds, of the chain. */
  readonly now: () => Promise<number>;
  readonly files: {
    readonly gatewayUrl: string;
    readonly signIn: (wallet: Address) => Promise<SignIn>;
    /** Reads a local file, and seals it for a private task or if wanted. Throws FILE_UNUSABLE for files that tools may not send. */
    readonly attach: (file: OutgoingPath) => Promise<Attachment>;
  };
};

/** Without `seal` the scope of the task decides. */
type OutgoingPath = {
  readonly path: string;
  readonly taskId: string | undefined;
  readonly seal: boolean | undefined;
};

/** A file that is ready to be uploaded, and what a document says about it. */
export type Attachment = {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly artifact: Artifact;
  /** By the hash of the sealed file; empty unless it is sealed. */
  readonly keys: Readonly<Record<string, string>>;
};

export type Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  /** What it returns and when to call it: all that a model reads before it chooses. */
  readonly description: string;
  /** In place of `description` where the wallet of the tools signs without its owner. */
  readonly describedAtOnce?: string;
  readonly input: Input;
  readonly output: Output;
  /** The schema of the arguments that clients see; the one above where this is not given. */
  readonly schemas?: { readonly input: JsonSchema };
  /** Whether it may create a wallet request. */
  readonly writes?: boolean;
  /** Whether it changes what the gateway keeps about reading, such as what is unread; nothing is signed or sent. */
  readonly marks?: boolean;
  /** Whether it needs a key or files of the caller: a gateway does not serve it at /mcp. */
  readonly isLocal?: boolean;
  /** What the owner of the wallet grants to who calls it at /mcp; nothing where it needs no sign-in. */
  readonly scope?: string;
  /** What a person confirms before it runs, where the client can ask one; null where nothing is to be confirmed. */
  confirm?(input: z.output<Input>, context: ToolContext): Promise<string | null>;
  /** The part of an answer that a model reads, without what only programs need; all of it where this is not given. */
  brief?(answer: z.input<Output>): Record<string, unknown>;
  /** `signal` aborts when the call is cancelled; a tool that writes must check it. */
  run(input: z.output<Input>, context: ToolContext, signal: AbortSignal): Promise<z.input<Output>>;
};

/** The wallet of the tools, where it may sign this at once; null where nothing is to be confirmed, as in a dry run. */
export async function findSigner(
  { readOwnAddress, isDryRun }: ToolContext,
  { from, requestId }: { readonly from: Address; readonly requestId?: string | undefined },
): Promise<Address | null> {
  const own = requestId === undefined && !isDryRun ? await readOwnAddress() : null;
  return own !== null && isSameAddress(own, from) ? own : null;
}

/** The end of each question. */
export function saySigner(own: Address): string {
  return `The wallet ${own} signs it at once if its policy allows it; otherwise its owner decides on a page of the gateway.`;
}

/** The task in a question to the owner; its title is a text of the poster. The question is asked without it as well. */
export async function nameTask({ market }: ToolContext, taskId: unknown): Promise<string[]> {
  if (typeof taskId !== 'string') return [];
  const title = await market.task(taskId).then(
    ({ task }) => task.title,
    () => undefined,
  );
  return title === undefined ? [] : [`- the task ${taskId}, as its poster calls it: ${toShown(title)}`];
}

export const readByAll = 'Everybody can read it.';

/** The question of a tool that signs what moves no money. */
export async function askToPublish(
  question: string,
  context: ToolContext,
  sent: Parameters<typeof findSigner>[1],
): Promise<string | null> {
  const own = await findSigner(context, sent);
  return own && `${question} It moves no money.\n${saySigner(own)}`;
}

/** Adds the schema that clients see. `published` replaces arguments in it. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>({
  published,
  ...tool
}: Tool<Input, Output> & { readonly published?: Readonly<Record<string, JsonSchema>> | undefined }): Tool {
  return { ...tool, schemas: { input: publishInput(tool.input, published) } };
}

export const marketArgument = z.enum(markets).default('standard').describe('The markets are independent.');

export const limitArgument = z.int().min(1).max(100).default(20).describe('how many at most');

export const cursorArgument = z
  .string()
  .regex(/^([0-9]{1,80}\.)?[1-9][0-9]{0,14}$/)
  .optional()
  .describe('nextCursor of the page before');

export const taskIdArgument = taskIdSchema.describe('such as v2:standard:3');

export const addressArgument = addressSchema
  .transform((address): Address => parseAddress(address))
  .describe('wallet, 0x and 40 hex digits');

/** Of a wallet request. */
export const requestIdArgument = z.string().min(1).max(128);

export const typedDataSchema = z
  .looseObject({
    domain: z.record(z.string(), z.unknown()),
    types: z.record(z.string(), z.unknown()),
    primaryType: z.string(),
    message: z.record(z.string(), z.unknown()),
  })
  .describe('EIP-712 typed data, for eth_signTypedData_v4.');
