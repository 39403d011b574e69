// The embedded chain as a process of its own, so that its work is not counted as ours.
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createDevnet } from '#service/devnet/devnet.ts';

const devnet = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 });
process.send?.({ rpcUrl: devnet.rpcUrl, deployment: formatDeployment(devnet.deployment) });
process.on('disconnect', () => process.exit());
