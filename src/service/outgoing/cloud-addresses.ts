import ipaddr from "ipaddr.js";

/** Addresses that look public and that a cloud answers inside its own network, where no stranger comes. */
interface Reserved {
  readonly range: string;
  readonly what: string;
  readonly source: string;
}

/**
 * What clouds keep for themselves outside the ranges that are not public anyway. Those need no line here: 169.254.0.0/16 has
 * the metadata of AWS, Azure, Google, Oracle, DigitalOcean, Hetzner, OpenStack, Scaleway, Tencent and others,
 * 100.64.0.0/10 that of Alibaba (100.100.100.200), 192.0.0.0/24 that of Oracle's classic machines (192.0.0.192), fc00::/7 that
 * of AWS (fd00:ec2::254), Google (fd20:ce::254), Linode (fd00:a9fe:a9fe::1) and Scaleway (fd00:42::42), fe80::/10 that of
 * OpenStack (fe80::a9fe:a9fe).
 */
const reserved: readonly Reserved[] = [
  {
    range: "168.63.129.16/32",
    what: "Azure: wire server with the machine's certificates and extensions, DNS, health probes",
    source: "https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16",
  },
  {
    range: "161.26.0.0/16",
    what: "IBM Cloud: DNS, updates, time and storage inside a VPC",
    source: "https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc",
  },
  {
    range: "166.8.0.0/14",
    what: "IBM Cloud: private endpoints of services",
    source: "https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc",
  },
  {
    range: "199.36.153.4/30",
    what: "Google Cloud: restricted.googleapis.com, routed inside a VPC alone",
    source: "https://cloud.google.com/vpc/docs/configure-private-google-access",
  },
  {
    range: "199.36.153.8/30",
    what: "Google Cloud: private.googleapis.com, routed inside a VPC alone",
    source: "https://cloud.google.com/vpc/docs/configure-private-google-access",
  },
  {
    range: "2600:2d00:2:1000::/56",
    what: "Google Cloud: restricted.googleapis.com by IPv6, not announced to the internet",
    source: "https://cloud.google.com/vpc/docs/configure-private-google-access",
  },
  {
    range: "2600:2d00:2:2000::/56",
    what: "Google Cloud: private.googleapis.com by IPv6",
    source: "https://cloud.google.com/vpc/docs/configure-private-google-access",
  },
];

/**
 * The same within ranges that an operator may well mean, such as fc00::/7: they are open by a name that the operator wrote, and
 * these are not. Link-local addresses need no line.
 */
const reservedInside: readonly Reserved[] = [
  {
    range: "100.100.100.200/32",
    what: "Alibaba Cloud: metadata",
    source: "https://github.com/canonical/cloud-init/blob/21.3/doc/rtd/topics/datasources/aliyun.rst",
  },
  {
    range: "192.0.0.192/32",
    what: "Oracle Cloud, classic machines: metadata",
    source:
      "https://docs.oracle.com/en/cloud/cloud-at-customer/occ-get-started/retrieve-predefined-instance-metadata.html",
  },
  {
    range: "fd00:ec2::/32",
    what: "AWS: metadata, DNS and time inside a VPC",
    source: "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html",
  },
  {
    range: "fd20:ce::254/128",
    what: "Google Cloud: metadata",
    source: "https://cloud.google.com/compute/docs/metadata/querying-metadata",
  },
  {
    range: "fd00:a9fe:a9fe::1/128",
    what: "Linode: metadata",
    source: "https://techdocs.akamai.com/cloud-computing/docs/metadata-service-api",
  },
  {
    range: "fd00:42::42/128",
    what: "Scaleway: metadata",
    source: "https://github.com/canonical/cloud-init/blob/main/cloudinit/sources/DataSourceScaleway.py",
  },
];

/** Names of metadata services, whatever they resolve to: that of Equinix Metal has a public address. */
const reservedNames: ReadonlySet<string> = new Set([
  // https://cloud.google.com/compute/docs/metadata/querying-metadata
  "metadata.google.internal",
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
  "instance-data.ec2.internal",
  // https://deploy.equinix.com/developers/docs/metal/server-metadata/metadata/
  "metadata.platformequinix.com",
  "metadata.packet.net",
  // https://www.tencentcloud.com/document/product/213/4934
  "metadata.tencentyun.com",
]);

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const within = (list: readonly Reserved[]) => {
  const ranges = list.map(({ range }) => ipaddr.parseCIDR(range));
  return (address: Address) =>
    ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
};

/** Whether a cloud keeps this address for itself, though it looks public. @param address as `ipaddr.process` gives it */
export const isCloudAddress = within(reserved);

/** The same of one that does not look public. */
export const isInnerCloudAddress = within(reservedInside);

/** Whether this is the name of a cloud's metadata service. @param host in lower case */
export function isCloudName(host: string): boolean {
  let end = host.length;
  while (host[end - 1] === ".") end--;
  return reservedNames.has(host.slice(0, end));
}
