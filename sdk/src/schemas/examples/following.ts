// What the stream of server-sent events looks like.

export const eventStream = `retry: 1000

id: 41
event: reset
data: {}

id: 42
event: task
data: {"id":"v2:micro:31","market":"micro","state":"CLAIMED","blockNumber":654}

`;
