/**
 * Retrieval of a report: its form is negotiated, made if it is not stored, and streamed; download links; the sandbox.
 */
