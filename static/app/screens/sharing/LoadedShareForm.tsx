import { type ComponentType, lazy, Suspense, useState } from 'react';
import { SkeletonRows } from '../../components/States';
import { loadArea } from '../areas';
import type { ShareFormProps } from './values';

let loaded: ComponentType<ShareFormProps> | undefined;

/** Loads the form, which the first screen does not need. */
export async function loadShareForm(): Promise<{ default: ComponentType<ShareFormProps> }> {
  const [screens] = await Promise.all([import('../forms'), loadArea('account')]);
  loaded = screens.ShareForm;
  return { default: loaded };
}

/** The form in the dialog. If it is loaded, it is there at once: React would wait for 300 ms. */
export function LoadedShareForm(props: ShareFormProps) {
  const [Form] = useState(() => loaded ?? lazy(loadShareForm));
  return (
    <Suspense fallback={<SkeletonRows rows={2} />}>
      <Form {...props} />
    </Suspense>
  );
}
