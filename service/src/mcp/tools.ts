// All tools, in the order in which a new user needs them.
import { arbitratorsTool } from './arbitrators.ts';
import { fileTools } from './fileTools.ts';
import { mailTools } from './mailTools.ts';
import { marketTools, reputationTool } from './marketTools.ts';
import { negotiationTools } from './negotiationTools.ts';
import { nextStepsTool } from './nextSteps.ts';
import { paidClaimTool } from './paidClaim.ts';
import { prepareTools } from './prepareTools.ts';
import { publishInput, publishOutput } from './publishedSchema.ts';
import type { PublishedTool, Tool } from './tool.ts';

const all: readonly Tool[] = [
  ...marketTools,
  nextStepsTool,
  reputationTool,
  arbitratorsTool,
  ...prepareTools,
  paidClaimTool,
  ...fileTools,
  ...negotiationTools,
  ...mailTools,
];

/** With the schemas as clients see them. */
export const tools: readonly PublishedTool[] = all.map((tool) => ({
  ...tool,
  schemas: { input: publishInput(tool.input, tool.published), output: publishOutput(tool.output) },
}));
