// Who may ask, how often, and by which clock.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DescribeTrainingJobCommand, ListTrainingJobsCommand } from "@aws-sdk/client-sagemaker";
import { clientFor, startRegion } from "./region.mjs";

let region;
before(async () => {
  region = await startRegion("--scenario", "empty");
});
after(async () => assert.equal(await region.stop(), 0));

/** A call that needs no job: a region without any answers it with ResourceNotFound. */
const ask = (client) => client.send(new DescribeTrainingJobCommand({ TrainingJobName: "none" }));
const credentials = (accessKeyId, secretAccessKey) => ({
  credentials: { accessKeyId, secretAccessKey },
});

describe("signatures", () => {
  test("a wrong secret is refused", async () => {
    const wrong = clientFor(region, credentials("AKIDSIM", "not-it"));
    await assert.rejects(ask(wrong), {
      name: "InvalidSignatureException",
      message: /^The request signature we calculated does not match/,
    });
  });
  test("an unknown key is refused", async () => {
    await assert.rejects(ask(clientFor(region, credentials("AKIDOTHER", "simsecret"))), {
      name: "UnrecognizedClientException",
    });
  });
  test("another region's signature is refused", async () => {
    await assert.rejects(ask(clientFor(region, { region: "eu-west-1" })), {
      name: "InvalidSignatureException",
      message: /valid region/,
    });
  });
  test("no signature at all is refused", async () => {
    const reply = await fetch(region.url, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "SageMaker.ListTrainingJobs",
      },
      body: "{}",
    });
    assert.equal(reply.status, 400);
    assert.ok(reply.headers.get("x-amzn-requestid"));
    assert.equal((await reply.json()).__type, "MissingAuthenticationTokenException");
  });
});

describe("pace", () => {
  test("a third list in a second is throttled, a second later it is not", async () => {
    const client = clientFor(region);
    const list = () => client.send(new ListTrainingJobsCommand({}));
    const tries = await Promise.allSettled([list(), list(), list(), list(), list()]);
    const refused = tries.filter((one) => one.status === "rejected").map((one) => one.reason);
    assert.ok(refused.length >= 3, `${refused.length} refused`);
    for (const error of refused) {
      assert.equal(error.name, "ThrottlingException");
      assert.equal(error.message, "Rate exceeded");
    }
    const { calls } = await region.state();
    assert.equal(calls.ListTrainingJobs.throttled, refused.length);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await list();
  });
});

describe("clock", () => {
  test("Date is the simulated clock, and a client on the machine's clock still gets in", async () => {
    const { now } = await region.advance(7200);
    const reply = await fetch(`${region.url}/_sim/state`);
    const ahead = new Date(reply.headers.get("date")) - Date.now();
    assert.ok(Math.abs(ahead - 7_200_000) < 60_000, `${ahead} ms ahead`);
    assert.ok(Math.abs(new Date(now) - Date.now() - 7_200_000) < 60_000);
    await assert.rejects(ask(clientFor(region)), { name: "ResourceNotFound" });
  });
  test("a narrowed window refuses that client until it goes by the Date", async () => {
    await region.control("skew", { seconds: 0 });
    await assert.rejects(ask(clientFor(region)), {
      name: "InvalidSignatureException",
      message: /^Signature expired: \d{8}T\d{6}Z is now earlier than \d{8}T\d{6}Z \(/,
    });
    await assert.rejects(ask(clientFor(region, { maxAttempts: 3 })), { name: "ResourceNotFound" });
    await region.control("skew", { seconds: -7200 });
    await assert.rejects(ask(clientFor(region)), { name: "ResourceNotFound" });
  });
});
