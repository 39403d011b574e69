// All tools, in the order in which a newcomer needs them.
import { marketTools } from './marketTools.ts';
import { nextStepsTool } from './nextSteps.ts';
import { reputationTool } from './reputation.ts';
import type { Tool } from './tool.ts';

export const tools: readonly Tool[] = [...marketTools, nextStepsTool, reputationTool];
