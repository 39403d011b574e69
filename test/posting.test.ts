// Proves the posting quota on a living market: what is counted, what is refused, and what a plan changes.
import './posting/refusals.ts';
import './posting/quota.ts';
import './posting/plans.ts';
