// What clients may read besides tools: tasks, mailboxes and guides; and prompts for the usual jobs.
import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { markets, SvcError } from '@svc/sdk/domain';
import * as z from 'zod';
import { buildSkill, describeSkill, skillRoles } from './skills.ts';
import type { Tool, ToolContext } from './tool.ts';

type Sources = { readonly tools: readonly Tool[]; readonly needs: ToolContext };

const json = 'application/json';
const first = (value: string | string[] | undefined) => String(Array.isArray(value) ? value[0] : value);

export function registerResources(server: McpServer, { tools, needs }: Sources): void {
  /** The same as the tool answers, with texts of other users apart. */
  const readByTool = (name: string, input: Record<string, unknown>, uri: URL, signal: AbortSignal) =>
    read(uri, async () => {
      const tool = tools.find((one) => one.name === name);
      const parsed = tool?.input.safeParse(input);
      if (tool === undefined || parsed?.success !== true) throw new ResourceNotFoundError(uri.href);
      return JSON.stringify(await tool.run(parsed.data, needs, signal));
    });

  server.registerResource(
    'task',
    new ResourceTemplate('svc://task/{market}/{number}', {
      list: undefined,
      complete: { market: () => [...markets] },
    }),
    { title: 'A task', description: 'As svc_get_task answers it.', mimeType: json },
    (uri, { market, number }, { mcpReq: { signal } }) =>
      readByTool('svc_get_task', { taskId: `v2:${first(market)}:${first(number)}` }, uri, signal),
  );
  server.registerResource(
    'inbox',
    new ResourceTemplate('svc://inbox/{address}', { list: undefined }),
    { title: 'A mailbox', description: 'As svc_inbox answers it.', mimeType: json },
    (uri, { address }, { mcpReq: { signal } }) =>
      readByTool('svc_inbox', { address: first(address) }, uri, signal),
  );
  for (const role of skillRoles) {
    const description = describeSkill(role);
    const guide = { title: `Guide for a ${role}`, description, mimeType: 'text/markdown' };
    server.registerResource(`guide-${role}`, `svc://guide/${role}`, guide, (uri) =>
      read(uri, async () => buildSkill(role), guide.mimeType),
    );
    server.registerPrompt(
      role,
      {
        title: `Work as a ${role}`,
        description,
        argsSchema: z.object({
          address: z.string().optional().describe('Your wallet.'),
          goal: z.string().optional().describe('What you want to reach, or the task it is about.'),
        }),
      },
      ({ address, goal }) => {
        const wallet = address === undefined ? '' : `My wallet is ${address}.\n`;
        const next = goal === undefined ? 'Begin with the first step.' : `My goal: ${goal}`;
        const text = `${buildSkill(role)}\n${wallet}${next}`;
        return { messages: [{ role: 'user', content: { type: 'text', text } }] };
      },
    );
  }
}

async function read(uri: URL, load: () => Promise<string>, mimeType = json): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri: uri.href, mimeType, text: await load() }] };
  } catch (error) {
    const isMissing = error instanceof SvcError && error.details.status === 404;
    throw isMissing ? new ResourceNotFoundError(uri.href) : error;
  }
}
