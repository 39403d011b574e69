// Who holds a payment: a request that was overtaken must not answer for it as well.
import type { Migration } from '../migration.ts';

export const paymentHolders: Migration = {
  id: 4,
  name: 'payment holders',
  statements: [`ALTER TABLE payments ADD COLUMN holder TEXT NOT NULL DEFAULT ''`],
};
