// Modules from inside the SDK that service and pages import. The lists only get shorter: what these need becomes a public name of the SDK, or moves.
const words = (text: string): string[] => text.trim().split(/\s+/);

export const innerModules: Readonly<Record<string, readonly string[]>> = {
  service: words(`
    actions/action actions/approvals actions/arguments actions/buyPlan actions/callFacts actions/catalog
    actions/costs actions/evidence actions/explainCalls actions/nextActions actions/prepareAction
    actions/reads actions/taskRecord chain/abiDecoder chain/abis chain/chainClient chain/contracts
    chain/deployment chain/encodeCall chain/readAgents chain/readMarket chain/readTasks
    chain/rpcEndpoint chain/rpcRequests client/clientRoutes client/conversationReader client/request
    client/sealFile documents/viewDocument domain/address domain/amount domain/approvalLink
    domain/arbitration domain/backoff domain/canonical domain/chains domain/concernNames
    domain/disputeFacts domain/document domain/documentNames domain/dollars domain/errors domain/event
    domain/fairShare domain/json domain/market domain/moveKinds domain/parameters
    domain/parseEventStream domain/phases domain/posting domain/savedSearches domain/searchWords
    domain/sessionDocument domain/signedDocuments domain/state domain/task domain/taskId domain/terms
    domain/text domain/typedData domain/verifyDigest domain/walletNames negotiation/envelope
    negotiation/judgeDisclosure negotiation/mailReader negotiation/negotiation
    negotiation/proposals negotiation/transcript negotiation/verifyEnvelope rules/mistakes rules/terms
    rules/todo rules/values schemas/boards schemas/conversations schemas/documents
    schemas/envelope schemas/events schemas/files schemas/listQueries schemas/listings schemas/market
    schemas/messages schemas/notifications schemas/primitives schemas/profiles schemas/queries
    schemas/route schemas/routes schemas/sessions schemas/site schemas/task schemas/walletRequest send/callsOutcome
    send/keySender
  `),
  web: words(`
    actions/callFacts actions/catalog actions/costs
    actions/createTask actions/explain actions/explainCalls actions/movements
    actions/nextActions actions/planAction actions/prepareAction actions/settle actions/taskRecord
    chain/encodeCall chain/readAgents client/clientRoutes client/conversationReader client/createMarketClient
    client/request client/sealFile documents/buildDocument
    documents/viewDocument domain/address domain/amount domain/approvalLink domain/backoff
    domain/canonical domain/concernNames domain/document domain/documentNames domain/dollars
    domain/fairShare domain/moveKinds domain/phases domain/ruling domain/savedSearches
    domain/searchWords domain/state domain/task domain/taskId domain/text domain/verifyDigest
    domain/walletNames negotiation/envelope negotiation/judgeDisclosure negotiation/mailReader
    negotiation/proposals rules/terms rules/todo rules/work schemas/boards schemas/conversations schemas/listings
    schemas/notifications schemas/primitives schemas/walletRequest
    send/keySender send/premise
  `),
};
