// How many tokens a model reads. Counted by characters: with the o200k tokenizer of OpenAI, which is too large an
// installation for this one figure, the list of tools has 4.25 characters for each token, and lists of tasks have 2.9.
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
