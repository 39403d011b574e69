// Proves that clients see and use the tools, that other users' texts are marked, and that bad input is answered with a
// readable message. Stock clients: mcp/clients.ts. The hosted tools come last, since their flood fills the gateway.
import './mcp/looking.ts';
import './mcp/offers.ts';
import './mcp/using.ts';
import './mcp/resources.ts';
import './mcp/misleading.ts';
import './mcp/unknownFields.ts';
import './mcp/badInput.ts';
import './mcp/restarted.ts';
import './mcp/hosted.ts';
