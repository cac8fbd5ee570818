// The SDK's own chain of credential providers against the region's stand-ins: each finds its keys
// there, and the region takes them until they end.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { DescribeTrainingJobCommand, SageMakerClient } from "@aws-sdk/client-sagemaker";
import { startRegion } from "./region.mjs";

const session = "arn:aws:iam::111122223333:user/sim";
const config = `
[profile base]
aws_access_key_id = AKIDSIM
aws_secret_access_key = simsecret
[profile role]
role_arn = arn:aws:iam::111122223333:role/dev
source_profile = base
[profile chain]
role_arn = arn:aws:iam::111122223333:role/second
source_profile = role
[profile denied]
role_arn = arn:aws:iam::111122223333:role/denied
source_profile = base
[profile sso]
sso_session = ops
sso_account_id = 111122223333
sso_role_name = Admin
[sso-session ops]
sso_region = us-east-1
sso_start_url = https://sim.awsapps.com/start
[profile login]
login_session = ${session}
`;

let region, folder;
before(async () => {
  region = await startRegion("--scenario", "empty");
  folder = mkdtempSync(join(tmpdir(), "gpuq-credentials-"));
  writeFileSync(join(folder, "config"), config);
  for (const path of ["sso", "login"]) mkdirSync(join(folder, ".aws", path, "cache"), { recursive: true });
});
after(async () => {
  rmSync(folder, { recursive: true });
  assert.equal(await region.stop(), 0);
});
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) delete process.env[name];
  Object.assign(process.env, {
    HOME: folder,
    AWS_CONFIG_FILE: join(folder, "config"),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, "none"),
    AWS_ENDPOINT_URL: region.url,
    AWS_REGION: "us-east-1",
    AWS_EC2_METADATA_DISABLED: "true",
  });
});

/** A client that finds its credentials by itself. */
const start = (changes) => {
  Object.assign(process.env, changes);
  return new SageMakerClient({ maxAttempts: 1 });
};
/** Who is let in is told that there is no such job. */
const isLetIn = (client) =>
  assert.rejects(client.send(new DescribeTrainingJobCommand({ TrainingJobName: "none" })), {
    name: "ResourceNotFound",
  });
const calls = async (operation) => (await region.state()).calls[operation].ok;

describe("roles", () => {
  test("a profile's role is assumed, and its keys end", async () => {
    const client = start({ AWS_PROFILE: "role" });
    await isLetIn(client);
    assert.match((await client.config.credentials()).accessKeyId, /^ASIA/);
    await region.control("credentials", { expire: true });
    await assert.rejects(client.send(new DescribeTrainingJobCommand({ TrainingJobName: "none" })), {
      name: "ExpiredTokenException",
    });
  });
  test("a role assumes another", async () => {
    const before = await calls("AssumeRole");
    await isLetIn(start({ AWS_PROFILE: "chain" }));
    assert.equal((await calls("AssumeRole")) - before, 2);
  });
  test("a role is denied", async () => {
    const client = start({ AWS_PROFILE: "denied" });
    await assert.rejects(client.config.credentials(), { name: "AccessDenied", message: /sts:AssumeRole/ });
  });
  test("a web identity opens one, until its token has expired", async () => {
    const file = join(folder, "token");
    writeFileSync(file, "eyJhbGciOiJub25lIn0.eyJzdWIiOiJwb2QifQ.c2ln");
    const web = { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: "arn:aws:iam::111122223333:role/pod" };
    await isLetIn(start(web));
    writeFileSync(file, "eyJ.expired.c2ln");
    await assert.rejects(start(web).config.credentials(), { name: "ExpiredTokenException" });
  });
});

describe("logins", () => {
  const ssoFile = () => join(folder, ".aws/sso/cache", `${createHash("sha1").update("ops").digest("hex")}.json`);
  const loginFile = () =>
    join(folder, ".aws/login/cache", `${createHash("sha256").update(session).digest("hex")}.json`);
  const logIn = async (file, body) => writeFileSync(file, JSON.stringify(await region.control("login", body)));
  const read = (file) => JSON.parse(readFileSync(file, "utf8"));

  test("SSO opens a role, and ends", async () => {
    await logIn(ssoFile(), { kind: "sso" });
    await isLetIn(start({ AWS_PROFILE: "sso" }));
    await region.control("login", { kind: "sso", expire: true });
    await assert.rejects(start({ AWS_PROFILE: "sso" }).config.credentials(), {
      message: /Session token not found or invalid/,
    });
  });
  test("an SSO token that is about to expire is renewed first", async () => {
    await logIn(ssoFile(), { kind: "sso", seconds: 200 });
    const old = read(ssoFile());
    await isLetIn(start({ AWS_PROFILE: "sso" }));
    const renewed = read(ssoFile());
    assert.notEqual(renewed.accessToken, old.accessToken);
    assert.notEqual(renewed.refreshToken, old.refreshToken);
    assert.equal(await calls("CreateToken"), 1);
  });
  test("aws login gives keys, and renews them with a proof of its key", async () => {
    await logIn(loginFile(), { kind: "login" });
    await isLetIn(start({ AWS_PROFILE: "login" }));
    assert.equal(await calls("CreateOAuth2Token"), 0);
    await logIn(loginFile(), { kind: "login", seconds: 200 });
    const old = read(loginFile());
    await isLetIn(start({ AWS_PROFILE: "login" }));
    const renewed = read(loginFile());
    assert.notEqual(renewed.accessToken.accessKeyId, old.accessToken.accessKeyId);
    assert.notEqual(renewed.refreshToken, old.refreshToken);
    assert.equal(await calls("CreateOAuth2Token"), 1);
  });
  test("aws login ends", async () => {
    await logIn(loginFile(), { kind: "login", seconds: 200 });
    await region.control("login", { kind: "login", expire: true });
    await assert.rejects(start({ AWS_PROFILE: "login" }).config.credentials(), {
      message: /session has expired/,
    });
  });
});

describe("machines", () => {
  const metadata = () => ({ AWS_EC2_METADATA_DISABLED: "false", AWS_EC2_METADATA_SERVICE_ENDPOINT: region.url });

  test("an instance has the keys of its role", async () => {
    await isLetIn(start(metadata()));
    assert.equal(await calls("MetadataToken"), 1);
    assert.equal(await calls("MetadataCredentials"), 1);
  });
  test("an instance without version 2 of its metadata, too", async () => {
    await region.control("metadata", { mode: "v1" });
    await isLetIn(start(metadata()));
    assert.equal(await calls("MetadataToken"), 1);
  });
  test("a container has the keys of its task, with the token that it was given", async () => {
    const url = `${region.url}/container/credentials`;
    await region.control("container", { authorization: "Basic c2lt" });
    await isLetIn(
      start({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url, AWS_CONTAINER_AUTHORIZATION_TOKEN: "Basic c2lt" }),
    );
    assert.equal(await calls("ContainerCredentials"), 1);
  });
});
