// Runs the public conformance scenarios of tool servers, and those of their clients. Each night: what they ask for is proven with a market
// in mcp.test.ts, and the limits of the server in httpLimits.test.ts.
import { testConformance } from './mcp/conformance.ts';

testConformance();
