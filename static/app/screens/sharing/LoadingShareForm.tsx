import { CatchTyping } from '../../components/CatchTyping';
import { SkeletonRows } from '../../components/States';

/** In place of the form while it is loading. */
export function LoadingShareForm() {
  return (
    <>
      <CatchTyping />
      <SkeletonRows rows={2} />
    </>
  );
}
