import type { Pad } from '../../../../api/answers';
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
