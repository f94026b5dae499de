/** What `--help` prints. */
export const help = `Wheelhouse runs AI agents and workflow pipelines and serves the console for them.

  wheelhouse start            the service with its console, on http://localhost:7700
  wheelhouse worker           a process that only runs what others start; needs the same database
  wheelhouse keys create      an API key, shown once: --person ID or --team ID, --name TEXT
  wheelhouse keys list        the keys and access tokens that work
  wheelhouse keys revoke ID   ends a key; the next request with it is refused
  wheelhouse sign-in-link     a link that signs --person ID in to the console, once, within ten minutes;
                              --port N or --public-url URL where the service is not on port 7700
  wheelhouse retention        deletes now what the workspace's retention wants deleted; --preview only says what,
                              --compact then gives the disk back: each table in turn is locked while it is written anew
  wheelhouse files adopt      makes the folder of files this database's own, where it says that it belongs to another
                              one that is gone for good: from then on what nothing here names is removed
  wheelhouse files move       copies all files from --files to --to PLACE beside a running service; begun again, it goes
                              on; --rate 20M for so many bytes a second; --verify compares what is there as well;
                              says what to set then; ends with 3 where files were missing
  wheelhouse backup FILE      writes database and files as they are at one moment, beside a running service or without one;
                              - for standard output; --rate 20M for so many bytes a second at most; --with-secret puts
                              the secret into it; --json for programs; ends with 3 where files were missing
  wheelhouse restore FILE     makes an installation of a backup in --data DIR, or in the database of DATABASE_URL and
                              --files PLACE, which must be empty; --check only reads all of it; --new-secret where the
                              secret is lost. What is restored is paused
  wheelhouse resume           lets what was restored go on, when the installation that it is of runs no more
  wheelhouse upgrade          brings the schema up to date without starting the service; what fails leaves it as it was.
                              --check tries it on a copy, says how long it takes and what it locks, and changes
                              nothing; --copy DIR for another place of the copy; --json for programs
  wheelhouse audit verify     whether an entry of the audit log was altered, removed or inserted, and which; ends with 1
                              then, and with 3 where another secret has sealed some, which --former-secrets FILE
                              (one a line) verifies as well; --head POSITION:SEAL compares an end that was noted
                              before; --json for programs
  wheelhouse doctor           looks at this installation: what is wrong and what to do; --json for programs; ends with 1
                              where there is a problem. Give it the flags of start
  wheelhouse check DIR        says what is wrong with a workspace folder: file, line, field

Flags of start and worker
  --port N            port of the console and the API (PORT; 7700)                             start only
  --host ADDRESS      address to listen on (127.0.0.1)                                         start only
  --upstream NAME=URL also offer another service of the same interface; may be repeated        start only
  --public-url URL    the address that people use, where it is not http://localhost:PORT
  --allowed-host NAME answer also for this host, beside localhost and that of --public-url;
                      may be repeated (WHEELHOUSE_ALLOWED_HOSTS, separated by commas)           start only
  --data DIR          database, secret, files and log (.wheelhouse in the package's folder)
  --workspace DIR     agents, flows, MCP servers and people to load (the sample workspace)
  --empty             load only the people, teams and keys of the workspace
  --files PLACE       bytes of artifacts and run files: a folder (files in the data directory), or
                      s3://BUCKET/PREFIX of an object store
  --files-also PLACE  where files are read that are not there yet, while they move
  --concurrency N     executions at the same time (10)
  --connections N     connections to the database that requests and executions share (20); the process has seven more
  --drain SECONDS     after SIGTERM it is not ready, and goes on answering for so long (0; at most 20): a load balancer
                      needs that time to see it                                                start only
  --metrics PORT      serves metrics for Prometheus on this port, as http://127.0.0.1:PORT/metrics, to whoever reaches it;
                      ADDRESS:PORT for other machines. Without it they are nowhere

Environment
  DATABASE_URL        a PostgreSQL to use instead of the embedded one; needs WHEELHOUSE_SECRET and --files
  WHEELHOUSE_SECRET   signs links; at least 32 characters (a file in the data directory)
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION (us-east-1), AWS_ENDPOINT_URL_S3 or
  AWS_ENDPOINT_URL    of the object store; s3://BUCKET?endpoint=…&region=…&addressing=path|virtual for this one place
  OTEL_EXPORTER_OTLP_ENDPOINT and the other usual variables of OpenTelemetry: where traces go (nowhere); see docs/traces.md

The log goes to stderr as JSON lines, or to wheelhouse.log in the data directory when stderr is a terminal.`;
