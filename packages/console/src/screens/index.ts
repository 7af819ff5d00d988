/** The screens, a folder or a file each; `screens.ts` beside this folder has them by path. */
