// How long a run of tests waits for anything. A run beside other work multiplies it: `npm test -- --busy 4`.

const times = Number(process.env.SVC_TEST_PATIENCE ?? 1);
/** Far longer than anything takes on a busy machine: it only separates «never» from «slowly». */
export const patienceMs = 120_000 * times;
/** A file that never ends, for example because of an open handle, is ended and named. */
export const longestRunMs = 60 * 60_000 * times;
