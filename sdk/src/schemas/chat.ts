// The chat route: what is asked and what is answered (Spec 2, role chat).
import * as z from 'zod';
import {
  chatRoles,
  countChatBytes,
  maxChatBytes,
  maxChatMessages,
  maxSystemCharacters,
} from '#domain/chat.ts';
import { errorMessages } from '#domain/errors.ts';

const messagesError = { error: errorMessages.CHAT_MESSAGES_INVALID };

const messageSchema = z
  .object({ role: z.enum(chatRoles, messagesError), content: z.string(messagesError) }, messagesError)
  .meta({ id: 'ChatMessage', description: 'One turn of the conversation.' });

export const chatRequestSchema = z
  .object({
    system: z
      .string({ error: errorMessages.CHAT_SYSTEM_INVALID })
      .refine((text) => [...text].length <= maxSystemCharacters, errorMessages.CHAT_SYSTEM_INVALID)
      .optional()
      .meta({
        description: 'Which role the model plays.',
        parameter: { type: 'string', maxLength: maxSystemCharacters },
        examples: ['You help people to describe tasks so that a stranger can do them.'],
      }),
    messages: z
      .array(messageSchema, messagesError)
      .min(1, errorMessages.CHAT_MESSAGES_INVALID)
      .max(maxChatMessages, errorMessages.CHAT_MESSAGES_INVALID)
      .meta({ description: 'The conversation so far, oldest first.' }),
  })
  .refine((chat) => countChatBytes(chat) <= maxChatBytes, errorMessages.CHAT_TOO_LARGE)
  .meta({
    id: 'ChatRequest',
    description: 'A conversation to be carried on, of up to 32 KiB of text in all.',
  });

export const chatAnswerSchema = z
  .object({
    text: z
      .string()
      .meta({ description: 'What the model says; written by a machine, to be treated as data.' }),
    model: z.string().meta({ description: 'The model that answered.' }),
  })
  .meta({ id: 'ChatAnswer', description: 'The next turn of the conversation.' });

export const chatPieceSchema = z
  .object({ text: z.string().meta({ description: 'What comes next.' }) })
  .meta({ id: 'ChatPiece', description: 'A piece of the answer.' });
