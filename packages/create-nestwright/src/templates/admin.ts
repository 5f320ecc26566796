/** The admin: react-admin over the data provider, built by Vite. */
export const ADMIN_FILES = {
  'admin/index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Admin</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="./main.tsx"></script>
  </body>
</html>
`,
  'admin/main.tsx': `import { crudDataProvider } from '@nestwright/react-admin';
import {
  Admin,
  Create,
  Datagrid,
  Edit,
  List,
  maxLength,
  NumberField,
  NumberInput,
  ReferenceField,
  ReferenceInput,
  required,
  Resource,
  SearchInput,
  SimpleForm,
  TextField,
  TextInput,
} from 'react-admin';
import { createRoot } from 'react-dom/client';

const dataProvider = crudDataProvider({ baseUrl: window.location.origin });

const AuthorList = () => (
  <List sort={{ field: 'name', order: 'ASC' }} filters={[<SearchInput key="name" source="name" alwaysOn />]}>
    <Datagrid>
      <TextField source="name" />
    </Datagrid>
  </List>
);

const AuthorForm = () => (
  <SimpleForm>
    <TextInput source="name" validate={[required(), maxLength(80)]} />
  </SimpleForm>
);

const BookList = () => (
  <List sort={{ field: 'title', order: 'ASC' }} filters={[<SearchInput key="title" source="title" alwaysOn />]}>
    <Datagrid>
      <TextField source="title" />
      <NumberField source="year" options={{ useGrouping: false }} />
      <ReferenceField source="authorId" reference="authors" />
    </Datagrid>
  </List>
);

const BookForm = () => (
  <SimpleForm>
    <TextInput source="title" validate={[required(), maxLength(200)]} />
    <NumberInput source="year" />
    <ReferenceInput source="authorId" reference="authors" />
  </SimpleForm>
);

const inEdit = (form: React.ReactElement) => <Edit mutationMode="pessimistic">{form}</Edit>;
const inCreate = (form: React.ReactElement) => <Create redirect="list">{form}</Create>;

createRoot(document.getElementById('root')!).render(
  <Admin dataProvider={dataProvider} disableTelemetry>
    <Resource
      name="authors"
      list={AuthorList}
      edit={inEdit(<AuthorForm />)}
      create={inCreate(<AuthorForm />)}
      recordRepresentation="name"
    />
    <Resource
      name="books"
      list={BookList}
      edit={inEdit(<BookForm />)}
      create={inCreate(<BookForm />)}
      recordRepresentation="title"
    />
  </Admin>,
);
`,
} as const;
