// What a chat may hold (docs/decisions.md#chat).

export const chatRoles = ['user', 'assistant'] as const;

export type ChatMessage = { readonly role: (typeof chatRoles)[number]; readonly content: string };

export type Chat = { readonly system?: string | undefined; readonly messages: readonly ChatMessage[] };

export type ChatAnswer = { readonly text: string; readonly model: string };

export const maxSystemCharacters = 8_000;
export const maxChatMessages = 50;
export const maxChatBytes = 32 * 1024;

/** As it costs on the wire: in UTF-8, without the JSON around it. */
export function countChatBytes({ system = '', messages }: Chat): number {
  const encoder = new TextEncoder();
  const texts = [system, ...messages.map(({ content }) => content)];
  return texts.reduce((sum, text) => sum + encoder.encode(text).length, 0);
}
