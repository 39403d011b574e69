// Run by stockClients.test.ts where the packages beside it are installed: stock clients connect to an address and convert its tools.
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { getAllMcpTools, MCPServerStreamableHttp } from '@openai/agents-core';

const [, , url = ''] = process.argv;
const server = new MCPServerStreamableHttp({ url, name: 'svc' });
await server.connect();
const strict = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true });
await server.close();
const client = new Client({ name: 'stock', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const ofAnthropic = mcpTools(tools, client);
// As its adapters make them, which would bring an engine for graphs.
const ofLangChain = tools.map(({ name, description = '', inputSchema: schema }) => {
  const tool = new DynamicStructuredTool({ name, description, schema, func: async () => '' });
  return convertToOpenAITool(tool, { strict: true }).function;
});
await client.close();
const names = (list) => list.map(({ name }) => name).sort();
console.log(
  JSON.stringify({
    listed: names(tools),
    openai: names(strict.filter((one) => one.strict === true)),
    anthropic: names(ofAnthropic),
    langchain: names(ofLangChain),
  }),
);
