/** A choice: what an option said, or the answer to its question. */
import { type ChoiceName, CHOICES, isValueOf, QUESTIONS } from './choices.js';

/** Asks a question; no answer is the usual one. */
export type Ask = (question: string, usual: string) => Promise<string>;

/**
 * The value of a choice.
 *
 * @param given What an option said.
 * @param ask Absent: nothing is asked, and the first value stands.
 * @throws Error if `given` is no value of it
 */
export async function choose(name: ChoiceName, given: string | undefined, ask: Ask | undefined): Promise<string> {
  const values = CHOICES[name];
  if (given !== undefined) {
    if (isValueOf(name, given)) return given;
    throw new Error(`--${name} is ${JSON.stringify(given)}, but must be one of: ${values.join(', ')}`);
  }
  if (!ask) return values[0];

  for (;;) {
    const answer = await ask(`${QUESTIONS[name]}: ${values.join(', ')}`, values[0]);
    if (isValueOf(name, answer)) return answer;
  }
}
