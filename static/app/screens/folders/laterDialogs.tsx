import { type ComponentType, Suspense } from 'react';
import { CatchTyping } from '../../components/CatchTyping';
import { screenOfForms } from '../laterForms';

function inSuspense<Props extends object>(Loaded: ComponentType<Props>, waiting?: ComponentType) {
  const Waiting = waiting;
  return (props: Props) => (
    <Suspense fallback={Waiting && <Waiting />}>
      <Loaded {...props} />
    </Suspense>
  );
}

export const HandOverDialog = inSuspense(
  screenOfForms((forms) => forms.HandOverDialog),
  CatchTyping,
);
export const ExportDialog = inSuspense(
  screenOfForms((forms) => forms.ExportDialog),
  CatchTyping,
);
export const OwnLinks = inSuspense(screenOfForms((forms) => forms.OwnLinks));
