/** The admin: screens over the workspace's resources. */
import CommentIcon from '@mui/icons-material/Comment';
import FolderIcon from '@mui/icons-material/Folder';
import PeopleIcon from '@mui/icons-material/People';
import TaskIcon from '@mui/icons-material/TaskAlt';
import { Admin, Datagrid, List, Resource, TextField } from 'react-admin';
import { createRoot } from 'react-dom/client';
import { provider } from './api.js';
import { CommentList } from './comments.jsx';
import { Dashboard } from './dashboard.jsx';
import { ProjectCreate, ProjectEdit, ProjectList } from './projects.jsx';
import { authProvider, SignIn } from './sign-in.jsx';
import { TaskCreate, TaskEdit, TaskList } from './tasks.jsx';

const MemberList = () => (
  <List sort={{ field: 'name', order: 'ASC' }} exporter={false}>
    <Datagrid bulkActionButtons={false} rowClick={false}>
      <TextField source="name" />
      <TextField source="email" />
      <TextField source="role" />
    </Datagrid>
  </List>
);

createRoot(document.getElementById('root')).render(
  <Admin
    title="Workspace"
    dataProvider={provider}
    authProvider={authProvider}
    loginPage={SignIn}
    dashboard={Dashboard}
    disableTelemetry
    requireAuth
  >
    <Resource
      name="tasks"
      icon={TaskIcon}
      list={TaskList}
      edit={TaskEdit}
      create={TaskCreate}
      recordRepresentation="title"
    />
    <Resource
      name="projects"
      icon={FolderIcon}
      list={ProjectList}
      edit={ProjectEdit}
      create={ProjectCreate}
      recordRepresentation="name"
    />
    <Resource name="members" icon={PeopleIcon} list={MemberList} recordRepresentation="name" />
    <Resource name="comments" icon={CommentIcon} list={CommentList} />
  </Admin>,
);
