// All tools, in the order in which a newcomer needs them.
import { marketTools } from './marketTools.ts';
import { negotiationTools } from './negotiationTools.ts';
import { nextStepsTool } from './nextSteps.ts';
import { prepareTools } from './prepareTools.ts';
import { reputationTool } from './reputation.ts';
import type { Tool } from './tool.ts';

export const tools: readonly Tool[] = [
  ...marketTools,
  nextStepsTool,
  reputationTool,
  ...prepareTools,
  ...negotiationTools,
];
