/** Comments: a list without an end, read by cursors. */
import { DataTable, DateField, InfiniteList, SearchInput } from 'react-admin';
import { metaOf } from './api.js';
import { Table } from './list.jsx';

export const CommentList = () => (
  <InfiniteList
    sort={{ field: 'createdAt', order: 'DESC' }}
    perPage={25}
    queryOptions={{ meta: { ...metaOf(['taskId', 'body', 'createdAt', 'task.title', 'author.name']), cursor: true } }}
    filters={[<SearchInput key="body" source="body" alwaysOn />]}
    actions={false}
  >
    <Table
      bulkActionButtons={false}
      rowClick={(_id, _resource, { taskId }) => `/tasks/${taskId}`}
      line={{
        primaryText: ({ body }) => body,
        secondaryText: ({ author, task }) => `${author?.name} on ${task?.title}`,
        tertiaryText: () => <DateField source="createdAt" />,
      }}
    >
      <DataTable.Col source="task.title" label="Task" disableSort />
      <DataTable.Col source="author.name" label="Author" disableSort />
      <DataTable.Col source="body" />
      <DataTable.Col source="createdAt">
        <DateField source="createdAt" showTime />
      </DataTable.Col>
    </Table>
  </InfiniteList>
);
