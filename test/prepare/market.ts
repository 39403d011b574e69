// The market of these tests, which share it.
import { after, before } from 'node:test';
import { type Preparing, startPreparing } from '../support/preparing.ts';

export let preparing: Preparing;
before(async () => {
  preparing = await startPreparing();
});
after(() => preparing.close());
