/** Projects: a record that has been changed since it was read is not overwritten. */
import { Create, Datagrid, DateField, Edit, List, SimpleForm, TextField, TextInput } from 'react-admin';

export const ProjectList = () => (
  <List
    sort={{ field: 'name', order: 'ASC' }}
    filters={[<TextInput key="name" source="name" alwaysOn />]}
    exporter={false}
  >
    <Datagrid bulkActionButtons={false}>
      <TextField source="key" />
      <TextField source="name" />
      <TextField source="budget" textAlign="right" />
      <DateField source="createdAt" />
    </Datagrid>
  </List>
);

const INPUTS = (
  <>
    <TextInput source="key" />
    <TextInput source="name" fullWidth />
    <TextInput source="budget" />
  </>
);

export const ProjectCreate = () => (
  <Create redirect="list">
    <SimpleForm>{INPUTS}</SimpleForm>
  </Create>
);

export const ProjectEdit = () => (
  <Edit mutationMode="pessimistic">
    <SimpleForm>{INPUTS}</SimpleForm>
  </Edit>
);
