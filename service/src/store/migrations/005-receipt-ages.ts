// Used receipts by age, so that those which ran out long ago are found without reading all.
import type { Migration } from '../migration.ts';

export const receiptAges: Migration = {
  id: 5,
  name: 'receipt ages',
  statements: ['CREATE INDEX used_receipts_age ON used_receipts (identity, used_at)'],
};
