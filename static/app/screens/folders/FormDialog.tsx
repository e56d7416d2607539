import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Dialog } from '../../components/Dialog';
import { SkeletonRows } from '../../components/States';
import { loadArea } from '../areas';

type Forms = typeof import('../forms');

/** A form that the first screen does not need. */
function later<Props>(choose: (forms: Forms) => ComponentType<Props>) {
  return lazy(async () => {
    const [forms] = await Promise.all([import('../forms'), loadArea('account')]);
    return { default: choose(forms) };
  });
}

export const HandOver = later((forms) => forms.HandOver);
export const ExportForm = later((forms) => forms.ExportForm);
export const OwnLinks = later((forms) => forms.OwnLinks);

interface FormDialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with such a form. */
export function FormDialog({ title, onClose, children }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Suspense fallback={<SkeletonRows rows={2} />}>{children}</Suspense>
    </Dialog>
  );
}
