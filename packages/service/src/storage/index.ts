/**
 * What stores share: statements in `.sql` files, addresses of servers, places in a data folder, how a full disk is
 * recognised, and when a ping has failed.
 */
