/** The second step of a sign-in. Whoever signs in waits here for the person, whom a dialog asks. */
import type { LoginAnswer, SecondStepQuestion } from '../../../api/auth/schema';
import { createStore } from '../lib/store';

export interface AskedStep {
  question: SecondStepQuestion;
  /** Call it with the answer of the server, or with `null` if the person gives up. */
  finish: (answer: LoginAnswer | null) => void;
}

const asked = createStore<AskedStep | null>(null);

/** Resolves to `null` if the person gives up. */
export function askSecondStep(question: SecondStepQuestion): Promise<LoginAnswer | null> {
  return new Promise((resolve) => {
    asked.set({
      question,
      finish: (answer) => {
        asked.set(null);
        resolve(answer);
      },
    });
  });
}

/** What the dialog asks now. */
export const useAskedStep = asked.use;
