/** What the lists have in common: a table, or on a phone a line for each record; and their export. */
import DownloadIcon from '@mui/icons-material/Download';
import { useMediaQuery } from '@mui/material';
import {
  Button,
  DataTable,
  downloadCSV,
  SimpleList,
  useDataProvider,
  useListContext,
  useNotify,
  useStore,
} from 'react-admin';
import { metaOf } from './api.js';

export const useIsSmall = () => useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });

/** @param line the props of `<SimpleList>` on a phone; all others are those of `<DataTable>` */
export function Table({ line, ...props }) {
  return useIsSmall() ? <SimpleList rowClick={props.rowClick} {...line} /> : <DataTable {...props} />;
}

/**
 * Saves the list as it is filtered and sorted, all its pages, with the columns that are shown.
 *
 * @param sources of all columns
 */
export function ExportButton({ sources }) {
  const { resource, filterValues: filter, sort } = useListContext();
  const [hidden] = useStore(`${resource}.datatable`, []);
  const provider = useDataProvider();
  const notify = useNotify();
  const meta = metaOf(sources.filter((source) => !hidden.includes(source)));
  const save = () =>
    provider.exportList(resource, 'csv', { filter, sort, meta }).then(
      async (file) => downloadCSV(await file.text(), resource),
      (error) => notify(error.message, { type: 'error' }),
    );

  return (
    <Button label="Export" onClick={save}>
      <DownloadIcon />
    </Button>
  );
}
