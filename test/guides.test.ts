// Runs the guides as they are printed, one after the other on one fresh market, and looks at what came of them. In this order:
// the market as it begins, the tools refuse a wallet without a deposit, a first deposit is made once, and the posting walk ends
// on another day.
import './guides/seeded.ts';
import './mcp/clients.ts';
import './guides/quickStart.ts';
import './guides/posting.ts';
import './guides/negotiating.ts';
import './guides/sdk.ts';
import './guides/running.ts';
