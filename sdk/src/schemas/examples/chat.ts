// Examples of the chat route.

export const chatRequest = {
  system: 'You help people to describe tasks so that a stranger can do them.',
  messages: [{ role: 'user', content: 'I need my menu in French.' }],
};

export const chatAnswer = {
  text: 'Say how many dishes it has, by when you need it, and how you will judge the result.',
  model: 'gpt-4o-mini',
};

export const chatStream =
  'event: text\ndata: {"text":"Say how many "}\n\nevent: text\ndata: {"text":"dishes it has."}\n\n' +
  'event: done\ndata: {"text":"Say how many dishes it has.","model":"gpt-4o-mini"}\n\n';
