// The embedded chain in a separate process, so that its CPU time is not counted.
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createDevnet } from '#service/devnet/devnet.ts';

const devnet = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 });
process.send?.({ rpcUrl: devnet.rpcUrl, deployment: formatDeployment(devnet.deployment) });
process.on('disconnect', () => process.exit());
