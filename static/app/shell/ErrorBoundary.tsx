import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button, LinkButton } from '../components/Button';
import { RetryIcon, WarningIcon } from '../components/icons';
import { EmptyState } from '../components/States';
import { useTranslation } from '../texts/i18n';

interface Props {
  /** The path of the current screen. A change of it removes the error. */
  path: string;
  children: ReactNode;
}

interface State {
  failed: boolean;
  path: string;
}

/** Catches errors of a screen, so that the rest of the page keeps working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, path: this.props.path };

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true };
  }

  static getDerivedStateFromProps({ path }: Props, state: State): Partial<State> | null {
    return path === state.path ? null : { path, failed: false };
  }

  override componentDidCatch(error: Error, information: ErrorInfo): void {
    console.error(error, information.componentStack);
  }

  override render(): ReactNode {
    return this.state.failed ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<WarningIcon />}
      title={t('broken.title')}
      action={
        <>
          <Button kind="primary" icon={<RetryIcon />} onClick={() => location.reload()}>
            {t('broken.reload')}
          </Button>
          <LinkButton href="/">{t('broken.home')}</LinkButton>
        </>
      }
    >
      {t('broken.text')}
    </EmptyState>
  );
}
