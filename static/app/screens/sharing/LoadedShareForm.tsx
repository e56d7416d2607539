import { type ComponentType, lazy, Suspense, useState } from 'react';
import { loadForms } from '../laterForms';
import { LoadingShareForm } from './LoadingShareForm';
import type { ShareFormProps } from './values';

let loaded: ComponentType<ShareFormProps> | undefined;

/** Loads the form, which the first screen does not need. */
export async function loadShareForm(): Promise<{ default: ComponentType<ShareFormProps> }> {
  loaded = (await loadForms()).ShareForm;
  return { default: loaded };
}

/** The form in the dialog. If it is loaded, it is there at once: React would wait for 300 ms. */
export function LoadedShareForm(props: ShareFormProps) {
  const [Form] = useState(() => loaded ?? lazy(loadShareForm));
  return (
    <Suspense fallback={<LoadingShareForm />}>
      <Form {...props} />
    </Suspense>
  );
}
