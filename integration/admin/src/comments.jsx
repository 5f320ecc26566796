/** Comments: a list without an end, read by cursors. */
import { Datagrid, DateField, InfiniteList, ReferenceField, TextField } from 'react-admin';

export const CommentList = () => (
  <InfiniteList
    sort={{ field: 'createdAt', order: 'DESC' }}
    perPage={25}
    queryOptions={{ meta: { cursor: true } }}
    exporter={false}
  >
    <Datagrid bulkActionButtons={false} rowClick={false}>
      <ReferenceField source="taskId" reference="tasks" sortable={false}>
        <TextField source="title" />
      </ReferenceField>
      <ReferenceField source="authorId" reference="members" sortable={false} link={false}>
        <TextField source="name" />
      </ReferenceField>
      <TextField source="body" />
      <DateField source="createdAt" showTime />
    </Datagrid>
  </InfiniteList>
);
