// What a payment for a plan bought: its posts a day and its days. The plan may change after the payment.
import type { Migration } from '../migration.ts';

export const boughtLimits: Migration = {
  id: 11,
  name: 'bought limits',
  statements: [
    ...['purchases', 'used_payments'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN daily_limit BIGINT NOT NULL DEFAULT 0`,
      `ALTER TABLE ${table} ADD COLUMN period_days BIGINT NOT NULL DEFAULT 30`,
    ]),
    // Older rows do not say what was bought: the chain is read again, into new rows.
    `UPDATE chain SET shown = NULL`,
  ],
};
