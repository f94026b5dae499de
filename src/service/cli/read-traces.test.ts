import { describe, expect, it } from "vitest";
import { readTraces } from "./read-traces.ts";

const to = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };

describe("where traces go", () => {
  it.each([
    [{}],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: " " }],
    [{ ...to, OTEL_SDK_DISABLED: "true" }],
    [{ ...to, OTEL_TRACES_EXPORTER: "none" }],
    [{ OTEL_SERVICE_NAME: "wheelhouse" }],
  ])("nowhere: %j", (environment) => expect(readTraces(environment)).toBeNull());

  it("to the collector that is named, with what is usual", () => {
    expect(readTraces(to)).toEqual({
      url: "http://collector:4318/v1/traces",
      headers: {},
      protocol: "http/protobuf",
      isCompressed: false,
      timeoutMs: 10_000,
      everyMs: 5_000,
      resource: { "service.name": "wheelhouse" },
      sampler: { isParentBased: true, ratio: 1 },
      withContents: false,
    });
    expect(readTraces({ OTEL_TRACES_EXPORTER: "otlp" })?.url).toBe("http://localhost:4318/v1/traces");
  });

  it("as all variables say, those for traces before those for all", () => {
    expect(
      readTraces({
        ...to,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/in?tenant=1",
        OTEL_EXPORTER_OTLP_HEADERS: "a=1",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "Authorization=Bearer%20x=y, x-scope = 7",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
        OTEL_EXPORTER_OTLP_TIMEOUT: "2500",
        OTEL_BSP_SCHEDULE_DELAY: "200",
        OTEL_SERVICE_NAME: "harbor",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment.name=b%C3%BC",
        OTEL_TRACES_SAMPLER: "traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
      }),
    ).toEqual({
      url: "https://traces.example/in?tenant=1",
      headers: { authorization: "Bearer x=y", "x-scope": "7" },
      protocol: "http/json",
      isCompressed: true,
      timeoutMs: 2_500,
      everyMs: 200,
      resource: { "service.name": "harbor", "deployment.environment.name": "bü" },
      sampler: { isParentBased: false, ratio: 0.25 },
      withContents: true,
    });
  });
});

describe("a wrong value names its variable, and is not repeated", () => {
  it.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "canary:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:canary@collector"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "grpc://canary"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://collector/#canary"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "canary"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%E0%canary"],
    ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a b=canary"],
    ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=%0acanary"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "canary"],
    ["OTEL_EXPORTER_OTLP_COMPRESSION", "canary"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "canary"],
    ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "0"],
    ["OTEL_EXPORTER_OTLP_CERTIFICATE", "/canary.pem"],
    ["OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY", "/canary.pem"],
    ["OTEL_BSP_SCHEDULE_DELAY", "-1"],
    ["OTEL_RESOURCE_ATTRIBUTES", "canary"],
    ["OTEL_TRACES_EXPORTER", "canary"],
    ["OTEL_TRACES_SAMPLER", "canary"],
    ["OTEL_SDK_DISABLED", "canary"],
    ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "event_only"],
  ])("%s=%s", (variable, value) => {
    let message = "";
    try {
      readTraces({ ...to, [variable]: value });
    } catch (error) {
      message = error instanceof Error ? error.message : "";
    }
    expect(message).toContain(variable);
    expect(message).not.toContain("canary");
  });

  it("OTEL_TRACES_SAMPLER_ARG", () => {
    const environment = {
      ...to,
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "2",
    };
    expect(() => readTraces(environment)).toThrow(/^OTEL_TRACES_SAMPLER_ARG must/);
  });
});
