// Inputs for the texts of points that the command line imports.

const LINES = [
  'cpu,host=a1,dc=x load=0.5,cores=8i,up=true,msg="a, b=\\"c\\" d" 1769860800000000000\ncpu load=1\n',
  'log,path=C:\\temp\\ x\\,y\\=z msg="first\ncpu load=1 0\n\n# last",code=-5u,t="x" 7\n# it="s\n',
  "temp,__name__=temp value=NaN,b=9223372036854775807i\n  a b=-1.5e-3,c=inf,d=F 5000000\n",
  'Disk,check=C:\\,host=h1 value=5\na s="open\nb v=1 0\nc v=2 0\n',
];
const PROMETHEUS = [
  'a_total{method="post",code="200",} 1027 1395066363000\n# HELP a b\n# TYPE a counter\nb 3\n',
  'm{path="C:\\\\DIR\\n\\"x\\""} 1.458255915e9\n{"my.metric","a b"="c"} +Inf 3982045\nn{} NaN\n',
  'h_bucket{le="+Inf"} 8 # {trace="4f"} 0.67 1520879607.789\nh_count 8 1520879607.5\n# EOF\n',
  "a 1 1520879607\nb 2 5\nc 3 1.5e3\n# EOF\n",
  "a 1 1700000000\nb 2 1700000000000\nc 3 2.5\n",
];
const DUMP = [
  '{__name__="up", job="a"} 1 1769860800000\n{__name__="up"} NaN 5\n',
  '{"my.metric"="x", __name__="m b", c="}, \\"{\\n\\x7f\\u00e9\\U0001f600"} -1e+06 1769860800000\n',
  '{__name__="h"} {count:3, sum:5, [-1,1]:2} 1769860800000\n{__name__="h"} +Inf 7\n',
];
const VICTORIA = [
  '{"metric":{"__name__":"up","job":"a"},"values":[1,null,"-Infinity",-0],"timestamps":[1,2,3,1769860800000]}\n',
  '{"timestamps":[],"values":[],"metric":{"__name__":"x"}}\n{"metric":{"__name__":"é\\n"},"values":[1e300],"timestamps":[5.5]}\n',
];
const bytesOf = (text) => new Uint8Array(Buffer.from(text));

/** Creates the inputs from which a target starts. */
export const LINE_SEEDS = {
  "series-line": () => LINES.map(bytesOf),
  "series-prometheus": () => PROMETHEUS.map(bytesOf),
  "series-dump": () => DUMP.map(bytesOf),
  "series-victoriametrics": () => VICTORIA.map(bytesOf),
};
