/** The screens of reports, data and the service: a script that is loaded as that of sales. */
export { Access } from './access/access.tsx';
export { Calendar } from './data/calendar.tsx';
export { Import } from './data/import.tsx';
export { Health } from './health.tsx';
export { More } from './more.tsx';
export { NewReport } from './reports/new-report.tsx';
export { Report } from './reports/report.tsx';
export { Reports } from './reports/reports.tsx';
