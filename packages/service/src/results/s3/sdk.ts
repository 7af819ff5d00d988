/** The parts of the AWS SDK that are used here: an optional package, loaded only for results in S3. */
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join, parse } from 'node:path';

interface ObjectName {
  Bucket: string;
  Key: string;
}
interface Sending {
  abortSignal?: AbortSignal;
}

/** A step between a call of the SDK and its request. */
export type S3Middleware = <Result>(
  next: (args: { input: object; request: unknown }) => Promise<Result>,
) => (args: { input: object; request: unknown }) => Promise<Result>;

/**
 * The calls of an S3 client. test/scale checks them against the SDK's types, which the default install does not have.
 */
export interface S3Calls {
  putObject(input: ObjectName & { Body: Uint8Array; ContentLength: number }, sending?: Sending): Promise<unknown>;
  getObject(input: ObjectName & { Range?: string }, sending?: Sending): Promise<{ Body?: unknown }>;
  deleteObject(input: ObjectName, sending?: Sending): Promise<unknown>;
  createMultipartUpload(input: ObjectName, sending?: Sending): Promise<{ UploadId?: string | undefined }>;
  uploadPart(
    input: ObjectName & { UploadId: string; PartNumber: number; Body: Uint8Array; ContentLength: number },
    sending?: Sending,
  ): Promise<{ ETag?: string | undefined }>;
  completeMultipartUpload(
    input: ObjectName & { UploadId: string; MultipartUpload: { Parts: { PartNumber: number; ETag: string }[] } },
    sending?: Sending,
  ): Promise<unknown>;
  abortMultipartUpload(input: ObjectName & { UploadId: string }, sending?: Sending): Promise<unknown>;
  middlewareStack: {
    add(middleware: S3Middleware, options: { step: 'build'; name: string }): void;
    add(middleware: S3Middleware, options: { step: 'finalizeRequest'; priority: 'low'; name: string }): void;
  };
  destroy(): void;
}

interface S3Options {
  region?: string;
  endpoint?: string;
  forcePathStyle: boolean;
  maxAttempts: number;
  requestChecksumCalculation: 'WHEN_REQUIRED';
  responseChecksumValidation: 'WHEN_REQUIRED';
  requestHandler: { connectionTimeout: number; socketTimeout: number };
}

export interface S3Sdk {
  S3: new (options: S3Options) => S3Calls;
}

const PACKAGE = '@aws-sdk/client-s3';

/**
 * Loads the SDK: from beside this package, or from the `node_modules` of the folder in which the service was started.
 * Throws Error with the command that installs it.
 */
export async function loadS3Sdk(folder = process.cwd()): Promise<S3Sdk> {
  ensureHome(folder);
  try {
    return (await import(PACKAGE)) as S3Sdk;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    return createRequire(join(folder, 'package.json'))(PACKAGE) as S3Sdk;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new Error(`results in S3 need the AWS SDK, which is not installed: npm install ${PACKAGE}`);
  }
}

/**
 * The SDK looks for settings in the home folder, and its first call ends the process where there is none: a container's
 * user may have no entry in /etc/passwd and no HOME. The root folder is one that nobody else writes.
 */
function ensureHome(folder: string): void {
  try {
    homedir();
  } catch {
    process.env.HOME = parse(folder).root;
  }
}

/** Whether the package itself is missing, and not one of its dependencies. */
function isMissing(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(code ?? '') && message.includes(`'${PACKAGE}'`);
}
