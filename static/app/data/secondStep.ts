/** The second step of a sign-in. Whoever signs in waits here for the person, whom a dialog asks. */
import { useSyncExternalStore } from 'react';
import type { LoginAnswer, SecondStepQuestion } from '../../../api/auth/schema';
import { createListeners } from '../lib/listeners';

export interface AskedStep {
  question: SecondStepQuestion;
  /** Call it with the answer of the server, or with `null` if the person gives up. */
  finish: (answer: LoginAnswer | null) => void;
}

let asked: AskedStep | null = null;
const { notify, subscribe } = createListeners();

function show(next: AskedStep | null): void {
  asked = next;
  notify();
}

/** Resolves to `null` if the person gives up. */
export function askSecondStep(question: SecondStepQuestion): Promise<LoginAnswer | null> {
  return new Promise((resolve) => {
    show({
      question,
      finish: (answer) => {
        show(null);
        resolve(answer);
      },
    });
  });
}

/** What the dialog asks now. */
export const useAskedStep = (): AskedStep | null => useSyncExternalStore(subscribe, () => asked);
