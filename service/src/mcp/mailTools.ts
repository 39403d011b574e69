// The tools over the relay: reading the messages of a wallet, with the private work that they carry, and sending one.
import { hashSchema } from '@svc/sdk/internal/schemas/primitives';
import * as z from 'zod';
import { findOwed, listWork, owedSchema, workSchema } from './privateWork.ts';
import { sendMessageTool } from './sendMessage.ts';
import { conversationSchema, listAgreedTasks, showConversation } from './showConversation.ts';
import { addressArgument, defineTool, type Tool, taskIdArgument } from './tool.ts';
import { noRequest, pickRequest, requestFields } from './toolMail.ts';

export const mailTools: readonly Tool[] = [
  defineTool({
    name: 'svc_inbox',
    title: 'Read messages',
    description:
      'The conversations of a wallet at the gateway: messages, the last offer with its signatures, the taskId once it is on ' +
      'chain, and next as ready calls. With taskId also work: the documents and files of a private task, checked against the ' +
      'chain. owedToJudge names private disputes whose judge lacks documents or keys that this wallet has. Where requestId is ' +
      'not null, the owner approves a session first; then call again. The operator of the gateway can read messages.',
    input: z.object({
      address: addressArgument,
      root: hashSchema.optional().describe('Only this conversation.'),
      taskId: taskIdArgument.optional().describe('Adds the work of this task.'),
      limit: z.int().min(0).max(100).default(20).describe('Messages of each conversation at most.'),
    }),
    output: z.object({
      ...requestFields,
      conversations: z.array(conversationSchema),
      work: z.array(workSchema).optional(),
      owedToJudge: z
        .array(owedSchema)
        .describe('Send each with svc_send_message: type DisputeEvidence, from, taskId.'),
      unverified: z
        .int()
        .describe('Messages whose signature needs the chain, or that were removed; not shown.'),
      next: z.string(),
    }),
    run: async ({ address, root, taskId, limit }, { mail, market, now: readNow }) => {
      const opened = await mail.open(address);
      if ('request' in opened)
        return {
          ...pickRequest(opened.request),
          conversations: [],
          owedToJudge: [],
          unverified: 0,
          next: 'Let the owner approve the request, then call svc_inbox again.',
        };
      const { transcripts, unverified } = opened.mailbox;
      const shown = transcripts.filter((one) => root === undefined || one.root === root.toLowerCase());
      const now = new Date((await readNow()) * 1_000);
      const [owedToJudge, tasks] = await Promise.all([
        findOwed(market.task, address, transcripts),
        listAgreedTasks(market, address, shown),
      ]);
      return {
        ...noRequest,
        conversations: shown.map((transcript) =>
          showConversation(transcript, { address, limit, now, tasks, workOf: taskId }),
        ),
        ...(taskId !== undefined && { work: listWork((await market.task(taskId)).task, transcripts) }),
        owedToJudge,
        unverified,
        next:
          owedToJudge.length > 0
            ? 'Send the judge what it lacks: svc_send_message with type DisputeEvidence, from and taskId.'
            : 'next of a conversation has ready calls; where it is empty, the other party moves. svc_send_message with root answers.',
      };
    },
  }),
  sendMessageTool,
];
