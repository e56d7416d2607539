import { type ComponentType, lazy, Suspense, useState } from 'react';
import type { Pad } from '../../../../api/answers';
import { loadArea } from '../../areas';
import { SkeletonRows } from '../../components/States';
import type { OpenFolder } from '../folder/FolderScreen';
import type { Role } from './changes';

/** State of the form. When it has saved something and stays open, it starts again with a new one. */
export interface ShareRound {
  number: number;
  /** The role that is offered for people to add. */
  as: Role;
  /** Entries of the last attempt without an account. */
  absent: readonly string[];
  /** Whether the last attempt also copied the link. */
  copied: boolean;
}

export interface ShareFormProps {
  folder: OpenFolder;
  /** Missing if the folder itself is shared. */
  pad: Pad | undefined;
  round: ShareRound;
  onStay: (next: Omit<ShareRound, 'number'>) => void;
  onDirty: (dirty: boolean) => void;
  onCancel: () => void;
  onClose: () => void;
}

let loaded: ComponentType<ShareFormProps> | undefined;

/** Loads the form, which the first screen does not need. */
export async function loadShareForm(): Promise<{ default: ComponentType<ShareFormProps> }> {
  const [screens] = await Promise.all([import('../forms'), loadArea('account')]);
  loaded = screens.ShareForm;
  return { default: loaded };
}

const Later = lazy(loadShareForm);

/** The form in the dialog. If it is loaded, it is there at once: React would wait for 300 ms. */
export function LoadedShareForm(props: ShareFormProps) {
  const [Form] = useState(() => loaded ?? Later);
  return (
    <Suspense fallback={<SkeletonRows rows={2} />}>
      <Form {...props} />
    </Suspense>
  );
}
