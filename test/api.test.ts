// Proves the read API on a living market.
import './api/reads.ts';
import './api/filters.ts';
import './api/ledgers.ts';
import './api/siteReads.ts';
import './api/refusals.ts';
import './api/transport.ts';
import './api/contract.ts';
import './api/guide.ts';
import './api/hostile.ts';
