/**
 * The docs as pages of the service: guides, the reference with forms to try, problems. Pages load nothing from other
 * hosts.
 */
