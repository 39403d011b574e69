// All tools, in the order in which a new user needs them.
import { arbitratorsTool } from './arbitrators.ts';
import { fileTools } from './fileTools.ts';
import { requestTool } from './followedRequests.ts';
import { listingTools } from './listingTools.ts';
import { mailTools } from './mailTools.ts';
import { marketTools, reputationTool } from './marketTools.ts';
import { myWorkTool } from './myWork.ts';
import { negotiationTools } from './negotiationTools.ts';
import { nextStepsTool } from './nextSteps.ts';
import { prepareTools } from './prepareTools.ts';
import { profileTools } from './profileTools.ts';
import type { Tool } from './tool.ts';

export const tools: readonly Tool[] = [
  myWorkTool,
  ...marketTools,
  nextStepsTool,
  reputationTool,
  arbitratorsTool,
  ...profileTools,
  ...listingTools,
  ...prepareTools,
  requestTool,
  ...fileTools,
  ...negotiationTools,
  ...mailTools,
];

/** Those that need neither a key nor a file of the caller: a gateway serves them, those with a scope after a sign-in. */
export const hostedTools = tools.filter(({ isLocal }) => isLocal !== true);
