// Questions that come at once are asked together: a statement costs more than a row of its answer.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** How long questions wait for those before them to be answered, while more of them come. */
const patienceMs = 10;

/**
 * `answerAll` gets questions of one turn of the event loop, at most so many, and returns their answers in this order. It is
 * called after the last of them was asked, so that no answer is older than its question.
 */
export function gather<Question, Answer>(
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  most: number,
): (question: Question) => Promise<Answer> {
  let next: { readonly questions: Question[]; readonly answers: Promise<readonly Answer[]> } | null = null;
  let before: Promise<unknown> = Promise.resolve();

  function begin() {
    const questions: Question[] = [];
    const turn = Promise.race([before, sleep(patienceMs, undefined, { ref: false })]);
    const answers = Promise.all([turn, setImmediate()]).then(() => {
      if (next?.questions === questions) next = null;
      return answerAll(questions);
    });
    before = answers.catch(() => undefined);
    return { questions, answers };
  }

  return async (question) => {
    if (next === null || next.questions.length === most) next = begin();
    const { questions, answers } = next;
    const at = questions.push(question) - 1;
    return (await answers)[at] as Answer;
  };
}
