/** The console's document at the paths of its screens, and its files. It calls the same API as all other clients. */
