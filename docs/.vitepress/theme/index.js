import DefaultTheme from 'vitepress/theme';
import CostFigure from './CostFigure.vue';
import './colors.css';
import './code.css';
import './home.css';
import './tables.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('CostFigure', CostFigure);
  },
};
