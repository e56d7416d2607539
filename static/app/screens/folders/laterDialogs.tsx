import { type ComponentType, lazy, Suspense } from 'react';
import { loadArea } from '../areas';

type Forms = typeof import('../forms');

/** A part of a screen that is loaded when it is first shown, because the first screen does not need it. */
function later<Props extends object>(choose: (forms: Forms) => ComponentType<Props>) {
  const Loaded: ComponentType<Props> = lazy(async () => {
    const [forms] = await Promise.all([import('../forms'), loadArea('account')]);
    return { default: choose(forms) };
  });
  return (props: Props) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}

export const HandOverDialog = later((forms) => forms.HandOverDialog);
export const ExportDialog = later((forms) => forms.ExportDialog);
export const OwnLinks = later((forms) => forms.OwnLinks);
