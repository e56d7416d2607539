import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../texts/i18n';
import { Book, type BookProps } from './Guide';

/** The documentation for operators (docs/), which is in English. The administration shows it. */
export function Docs(props: Pick<BookProps, 'page' | 'home' | 'pathOf'>) {
  const { t, language } = useTranslation();
  const query = useQuery({
    queryKey: ['docs'],
    queryFn: async () => (await import('docs:pages')).docs,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const title = t('admin.docs.title');
  const labels = { title, search: t('admin.docs.search'), pages: title };
  return <Book {...props} {...labels} query={query} shown="en" translated={language === 'en'} />;
}
